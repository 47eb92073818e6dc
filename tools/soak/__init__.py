"""The endurance run: phones that play by themselves against a companion that is killed now and then."""
