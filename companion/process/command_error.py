"""How a command says that it could not, and the exit code. Prints nothing."""

from boxlid.errors import BoxlidError, StatementKind, Value


class CallFault(StatementKind):
    """Why a command could not do what was asked for."""

    TEXT = "call.text"
    PORT = "call.port"
    HURRY = "call.hurry"
    SEED = "call.seed"
    PLACE_KIND = "call.place-kind"
    RATE = "call.rate"
    NOTHING_TO_WATCH = "call.nothing-to-watch"
    NO_FOLDER = "call.no-folder"
    NO_PICTURE_WRITTEN = "call.no-picture-written"
    NO_OVERLAY_WRITTEN = "call.no-overlay-written"
    EXPECT_COLOUR = "call.expect-colour"
    EXPECT_TOO_MANY = "call.expect-too-many"
    DICE_FORM = "call.dice-form"
    DICE_TOO_MANY = "call.dice-too-many"
    DICE_TOO_FEW = "call.dice-too-few"
    PICTURE_AND_DICE = "call.picture-and-dice"
    INCOMPLETE = "call.incomplete"
    OTHER_PICTURE = "call.other-picture"
    NOTHING_LEARNT = "call.nothing-learnt"
    BOTH_PICTURES = "call.both-pictures"
    CORNERS = "call.corners"
    SIMULATED = "call.simulated"
    NO_KEYBOARD = "call.no-keyboard"
    PART = "call.part"
    NO_PICTURES = "call.no-pictures"
    PREFIX = "call.prefix"
    PLAIN_PREFIX = "call.plain-prefix"
    CA_WITHOUT_TLS = "call.ca-without-tls"
    PASSWORD = "call.password"
    RESULTS = "call.results"
    NOT_WRITTEN = "call.not-written"
    GAME_NUMBER = "call.game-number"
    NO_GAMES = "call.no-games"
    NO_STATE_FOLDER = "call.no-state-folder"
    FILE = "call.file"
    TABLE_NAME = "call.table-name"
    ACCOUNT_NAME = "call.account-name"
    TWO_ACCOUNTS = "call.two-accounts"
    NAME_TABLES = "call.name-tables"
    NO_OPENSSL = "call.no-openssl"
    OPENSSL = "call.openssl"
    BENCH_CLUB_SILENT = "call.bench-club-silent"
    BENCH_NO_STATE = "call.bench-no-state"
    BENCH_TOO_FEW = "call.bench-too-few"
    BENCH_NO_PRESS = "call.bench-no-press"
    BENCH_DEAF = "call.bench-deaf"
    BENCH_TAP = "call.bench-tap"


class CommandError(BoxlidError):
    """A user's mistake or a fault outside: one line on standard error, and the exit code."""

    def __init__(self, kind: CallFault, exit_code: int = 1, /, **values: Value) -> None:
        super().__init__(kind, **values)
        self.exit_code = exit_code
