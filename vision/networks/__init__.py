"""The networks: how a picture is put before them, and running them through OpenCV. Knows no dice."""
