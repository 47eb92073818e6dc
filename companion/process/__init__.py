"""The companion as a process: systemd, its end, faults that stop nothing else."""
