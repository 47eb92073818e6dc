"""Many tables: results, rankings and a tournament. Learns of tables by the broker only; knows no pages."""
