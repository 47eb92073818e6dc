"""How a command says that it could not: one line, and the exit code. Prints nothing."""


class CommandError(Exception):
    """A user's mistake or a fault outside: one line on standard error, and the exit code."""

    def __init__(self, message: str, exit_code: int = 1) -> None:
        super().__init__(message)
        self.exit_code = exit_code
