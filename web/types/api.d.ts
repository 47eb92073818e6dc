// What the JSON interface gives and takes. Made by make types from its description; never by hand.

/** One message of a stream: the view, its number, and the run of the companion the numbers belong to. */
export interface Message {
  run: string;
  sequence: number;
  view: View;
  asks: AskView[];
  code: string;
  boards: OfferedSide[];
}

/** Everything one phone or display shows at one moment. */
export interface View {
  version: number;
  moment: string;
  seats: SeatView[];
  waiting: SeatView[];
  own: OwnView[];
  game: GameView | null;
  series: SeriesView | null;
  corrected: CorrectedView | null;
  early: number;
  eyes: Eyes;
  pictured: boolean;
  broken: ("lamps" | "buttons" | "voice" | "terminal" | "dice" | "game-clock" | "company" | "mqtt" | "rounds")[];
  doubt: DoubtView | null;
}

/** A seat in the lobby's order. */
export interface SeatView {
  seat: number;
  name: string;
  mark: string;
  held: boolean;
  phone_away: boolean;
  mine: boolean;
  absent: boolean;
  level: "easy" | "medium" | "hard" | null;
}

/** A seat this phone holds: its sheet, its choices, what it may do. */
export interface OwnView {
  seat: number;
  rows: RowView[];
  misthrows: number;
  score: number | null;
  deciding: boolean;
  finish: "nothing" | "roll" | "roll-for" | "done" | "pass" | "misthrow" | "waiting" | "back";
  first: string | null;
  second: string | null;
  closes: string[];
  second_holds: boolean;
  undo: boolean;
  undo_done: boolean;
  landings: number[];
  landing: number | null;
  third: string | null;
  lost: string[];
  corrects: boolean;
}

/** A row of the own sheet; `closed` for all, `locked` by this player. */
export interface RowView {
  lock: string;
  closed: boolean;
  locked: boolean;
  crosses: number;
  points: number | null;
  cells: CellView[];
}

/** One cell of the own sheet. `legal` names the actions that may cross it, `chosen` the one that will. */
export interface CellView {
  cell: string;
  colour: string;
  number: number;
  state: "open" | "crossed" | "skipped" | "closed";
  legal: number[];
  chosen: number;
  fresh: boolean;
  why: WhyView | null;
}

/** Why a cell may not be crossed: the kind, and what a sentence in any language needs. */
export interface WhyView {
  kind: string;
  cell: string;
  other: string | null;
  needs: number;
  has: number;
  lock: string | null;
}

/** The game as everybody sees it. */
export interface GameView {
  id: number;
  number: number;
  phase: string;
  edition: string;
  active: number;
  white_sum: number | null;
  dice: DieView[];
  in_play: string[];
  deciding: number[];
  announced: ClosingView[];
  closed: string[];
  take_out: string[];
  moving_on: boolean;
  drawing: boolean;
  patience: number;
  scores_hidden: boolean;
  hints: "off" | "asked" | "always";
  last_turns: number | null;
  ended_by: string | null;
  winners: number[];
  end: EndColumn[];
  sheet: string;
  layout: PrintedRow[];
  board: SpaceView[];
  reach: number[];
  landings: number[];
  players: PlayerView[];
}

/** One die of the roll; `sums` is what it makes with a white one. `by_hand`: not what the camera read. */
export interface DieView {
  colour: string;
  pips: number;
  sums: number[];
  by_hand: boolean;
}

/** A player who is about to close a row; the rules want it said loudly. */
export interface ClosingView {
  seat: number;
  colour: string;
}

/** One player's column of the final reckoning. */
export interface EndColumn {
  seat: number;
  rows: number[];
  misthrows: number;
  extra: number;
  total: number;
  place: number;
  crosses: number;
}

/** A row as printed on every sheet of this game. */
export interface PrintedRow {
  lock: string;
  cells: string[];
}

/** A space of the board, numbered from 1. */
export interface SpaceView {
  cell: string;
  points: number;
  near_end: boolean;
}

/** A player as everybody sees them: no choice of an open action is in here. */
export interface PlayerView {
  seat: number;
  name: string;
  mark: string;
  active: boolean;
  deciding: boolean;
  rows: MarksView[];
  misthrows: number;
  score: number | null;
  fresh: string[];
  piece: number | null;
  level: "easy" | "medium" | "hard" | null;
  presence: "here" | "sits-out" | "plays-no-more";
  helping: "keep-or-pass" | "done" | "pass" | "stay" | "misthrow" | null;
}

/** A row of anybody's sheet. */
export interface MarksView {
  lock: string;
  crossed: string[];
  locked: boolean;
  crosses: number;
  points: number | null;
}

/** The results so far and who leads; `number` counts the game on the table. */
export interface SeriesView {
  number: number;
  games: number;
  results: number[][];
  standings: Standing[];
  over: boolean;
}

/** One player's place in a series: equal totals share a place. */
export interface Standing {
  seat: number;
  total: number;
  place: number;
}

/** What was put right since the last roll: `dice`, `reopened`, `sheet`, `piece` or `done`, and by whom. */
export interface CorrectedView {
  kind: string;
  seat: number;
  owner: number | null;
  turn: number;
  changes: Change[];
}

/** What it was and what it is: a die's pips, a cell such as R7, a count. None: no cross, or the start. */
export interface Change {
  what: "die" | "cross" | "misthrows" | "piece";
  before: string | null;
  after: string | null;
  colour: string | null;
}

/** The camera's side at one moment; kept in memory only. */
export interface Eyes {
  state: "off" | "ready" | "reading" | "moving" | "ask" | "trouble";
  notices: Notice[];
  dice: ShownDie[];
  simulated: boolean;
}

/** One problem: a kind, for whoever shows it to word, and the colours of the dice it is about. */
export interface Notice {
  kind: string;
  colours: string[];
}

/** A die as it was read, `percent` sure; a `doubtful` one is asked for, whatever the percentage. `crop` names its picture, `corners` are those of its top face, where there are such. */
export interface ShownDie {
  colour: string;
  pips: number;
  percent: number;
  doubtful: boolean;
  crop: string | null;
  corners: Place[];
}

/** A point of the picture: fractions of its width and height. */
export interface Place {
  x: number;
  y: number;
}

/** What may be missing of the record of the games: `lost`, `other` or `unknown`, and how many events. */
export interface DoubtView {
  kind: string;
  entries: number;
}

/** A phone that asks for a seat, or to free one; `mine`: this phone does, `answer`: it may say yes. */
export interface AskView {
  id: string;
  seat: number;
  name: string;
  mine: boolean;
  answer: boolean;
  frees: boolean;
}

/** A side that a game may be played on: the key for the wish, the board's name (none: the house's). */
export interface OfferedSide {
  key: string;
  name: string;
  side: string;
}

/** What an error answer holds. */
export interface ErrorBody {
  error: string;
  text: string;
  why: WhyView | null;
  retry_after: number | null;
  number: number | null;
}

/** Whether a phone holds a seat, or waits for somebody's yes. */
export interface Waiting {
  seated: boolean;
  waiting: boolean;
}

/** The best choice of a seat at a moment: a cell, in action 3 a space, or neither: a pass. */
export interface HintView {
  moment: string;
  seat: number;
  action: number;
  cell: string | null;
  space: number | null;
  text: string;
}

/** One lamp: its name, its colour, and its pattern of tenths of a second, `X` lit and `.` dark. */
export interface Lamp {
  name: string;
  colour: string;
  pattern: string;
}

/** The dice, entered by hand. */
export interface EnterRoll {
  do: "roll";
  id?: string | null;
  seat?: number | null;
  owner?: number | null;
  helping?: boolean;
  moment?: string | null;
  dice: string;
}

/** Dice for those without any at hand. */
export interface ThrowVirtualDice {
  do: "roll-virtual";
  id?: string | null;
  seat?: number | null;
  owner?: number | null;
  helping?: boolean;
  moment?: string | null;
}

/** A cross in action 1 or 2. */
export interface CrossCell {
  do: "cross";
  id?: string | null;
  seat?: number | null;
  owner?: number | null;
  helping?: boolean;
  moment?: string | null;
  cell: string;
  action?: number;
}

/** The newest choice is taken back. */
export interface TakeCrossBack {
  do: "take-back";
  id?: string | null;
  seat?: number | null;
  owner?: number | null;
  helping?: boolean;
  moment?: string | null;
}

/** Nothing more in this action. */
export interface SayDone {
  do: "done";
  id?: string | null;
  seat?: number | null;
  owner?: number | null;
  helping?: boolean;
  moment?: string | null;
}

/** There is something more after all. */
export interface TakeDoneBack {
  do: "take-back-done";
  id?: string | null;
  seat?: number | null;
  owner?: number | null;
  helping?: boolean;
  moment?: string | null;
}

/** In action 3, onto a space of the board. */
export interface MovePiece {
  do: "move";
  id?: string | null;
  seat?: number | null;
  owner?: number | null;
  helping?: boolean;
  moment?: string | null;
  space: number;
}

/** The active player wants to go on without those who still decide. */
export interface AskToMoveOn {
  do: "move-on";
  id?: string | null;
  seat?: number | null;
  owner?: number | null;
  helping?: boolean;
  moment?: string | null;
}

/** The dice lay otherwise. */
export interface CorrectDice {
  do: "correct-dice";
  id?: string | null;
  seat?: number | null;
  owner?: number | null;
  helping?: boolean;
  moment?: string | null;
  dice: string;
}

/** Somebody's sheet is otherwise. */
export interface CorrectSheet {
  do: "correct-sheet";
  id?: string | null;
  seat?: number | null;
  owner: number;
  helping?: boolean;
  moment?: string | null;
  sheet: string;
}

/** Somebody's piece stands elsewhere; 0 is the start. */
export interface CorrectPiece {
  do: "correct-piece";
  id?: string | null;
  seat?: number | null;
  owner: number;
  helping?: boolean;
  moment?: string | null;
  space: number;
}

/** A player is away for a while. */
export interface SitOut {
  do: "sit-out";
  id?: string | null;
  seat?: number | null;
  owner?: number | null;
  helping?: boolean;
  moment?: string | null;
}

/** A player leaves this game. */
export interface PlayNoMore {
  do: "play-no-more";
  id?: string | null;
  seat?: number | null;
  owner?: number | null;
  helping?: boolean;
  moment?: string | null;
}

/** Who sat out plays again. */
export interface ComeBack {
  do: "come-back";
  id?: string | null;
  seat?: number | null;
  owner?: number | null;
  helping?: boolean;
  moment?: string | null;
}

/** Back to the start of this turn, or of one so many turns before. */
export interface ReopenTurn {
  do: "reopen";
  id?: string | null;
  seat?: number | null;
  owner?: number | null;
  helping?: boolean;
  moment?: string | null;
  back?: number;
}

/** The game ends without a winner. */
export interface StopGame {
  do: "stop";
  id?: string | null;
  seat?: number | null;
  owner?: number | null;
  helping?: boolean;
  moment?: string | null;
}

/** A first game; what is not said is as in the settings. */
export interface StartGame {
  do: "start";
  id?: string | null;
  seat?: number | null;
  owner?: number | null;
  helping?: boolean;
  moment?: string | null;
  absent?: "" | "play" | "leave";
  first?: number | null;
  games?: number;
  edition?: "original" | "deluxe" | "on-board";
  sheet?: "classic" | "mixx-a" | "mixx-b";
  locks?: "at-once" | "end-of-turn" | null;
  board?: string;
  scores_hidden?: boolean | null;
  pass_by_itself?: boolean | null;
  patience?: number | null;
  hints?: "off" | "asked" | "always" | null;
  pace?: "human" | "at-once" | null;
  leaning?: "as-it-lies" | "rolled-again" | null;
}

/** The next game of the series, or the same once more. */
export interface PlayAgain {
  do: "again";
  id?: string | null;
  seat?: number | null;
  owner?: number | null;
  helping?: boolean;
  moment?: string | null;
  absent?: "" | "play" | "leave";
}

/** A finished game leaves the table. */
export interface ClearTable {
  do: "clear";
  id?: string | null;
  seat?: number | null;
  owner?: number | null;
  helping?: boolean;
  moment?: string | null;
}

/** The old seat numbers in the new order. */
export interface OrderSeats {
  do: "order";
  id?: string | null;
  seat?: number | null;
  owner?: number | null;
  helping?: boolean;
  moment?: string | null;
  order: number[];
}

/** A seat is given up. */
export interface LeaveSeat {
  do: "leave";
  id?: string | null;
  seat?: number | null;
  owner?: number | null;
  helping?: boolean;
  moment?: string | null;
}

/** A player of the program sits down. */
export interface SeatProgram {
  do: "seat-program";
  id?: string | null;
  seat?: number | null;
  owner?: number | null;
  helping?: boolean;
  moment?: string | null;
  level: "easy" | "medium" | "hard";
}

/** No phone holds that seat any more. */
export interface FreeSeat {
  do: "free";
  id?: string | null;
  seat?: number | null;
  owner?: number | null;
  helping?: boolean;
  moment?: string | null;
}

export type Wish = EnterRoll | ThrowVirtualDice | CrossCell | TakeCrossBack | SayDone | TakeDoneBack | MovePiece | AskToMoveOn | CorrectDice | CorrectSheet | CorrectPiece | SitOut | PlayNoMore | ComeBack | ReopenTurn | StopGame | StartGame | PlayAgain | ClearTable | OrderSeats | LeaveSeat | SeatProgram | FreeSeat;

/** A new seat. */
export interface SitDown {
  name: string;
  mark?: "circle" | "square" | "triangle" | "diamond" | "star" | "";
  code?: string;
  id?: string | null;
}

/** A seat that another phone holds. */
export interface AskForSeat {
  seat: number;
  code?: string;
}

/** Yes or no to a phone that asks for a seat. */
export interface Answer {
  yes: boolean;
}

/** A button of the simulated panel. */
export interface PanelPress {
  button: "rolled" | "read again" | "second";
}

/** The owner's boards, the house board, and files that cannot be played. */
export interface ShelfView {
  boards: BoardView[];
  house: BoardView;
  broken: BrokenBoard[];
}

/** A board: for each space of its sides a text such as `R7:3`. The house board's id is `house`. */
export interface BoardView {
  id: string;
  name: string;
  front: string[];
  back: string[];
}

/** A file of the shelf that cannot be played; it stays there until its owner deletes it. */
export interface BrokenBoard {
  id: string;
  text: string;
}

/** A board as it was typed so far. */
export interface BoardSent {
  name: string;
  front: string[];
  back: string[];
  id?: string;
}

/** What is to be said of a board so far. */
export interface CheckView {
  findings: FindingView[];
}

/** One thing to look at; `forbids`: the board cannot be kept like this. */
export interface FindingView {
  kind: string;
  side: string;
  space: number;
  got: string;
  other: number;
  forbids: boolean;
}

/** What stands in a board file. */
export interface BoardFile {
  text: string;
}

/** What a board file holds, or what is wrong with it. */
export interface FileView {
  board: BoardView | null;
  fault: FileFault | null;
}

/** What is wrong with a board file: a kind to word, its line (0: the whole file), the English text. */
export interface FileFault {
  kind: string;
  line: number;
  got: string;
  wanted: number;
  text: string;
}

/** The demo at one moment: what its phone and table show, the lamps, and what happens in words. */
export interface DemoMessage {
  run: string;
  sequence: number;
  caption: string;
  paused: boolean;
  fast: boolean;
  ended: string | null;
  view: View;
  lamps: Lamp[];
  pictured: boolean;
}

/** What a viewer wants of the demo. */
export interface DemoOrder {
  do: "start" | "pause" | "go on" | "faster" | "slower" | "stop";
}

/** One page of the list, newest first; pages count from 1. */
export interface HistoryView {
  page: number;
  pages: number;
  games: number;
  evenings: EveningView[];
}

/** A single game, or the games of a series and its standings so far. */
export interface EveningView {
  games: GameLine[];
  series: boolean;
  standings: Standing[];
}

/** One game of the list. `date` is left out if the clock cannot have been right; points while hidden. */
export interface GameLine {
  id: number;
  date: string | null;
  players: string[];
  marks: string[];
  levels: ("easy" | "medium" | "hard" | null)[];
  scores: number[] | null;
  ranking: number[];
  winners: number[];
  ended_by: string | null;
  running: boolean;
  edition: string;
  sheet: string;
  number: number;
  games: number;
  imported: boolean;
  paper: boolean;
  turns: number;
  trouble: string | null;
}

/** A whole game turn by turn; `end` is the reckoning of a game that is over, `players` their figures. */
export interface ReplayView {
  game: GameLine;
  layout: PrintedRow[];
  steps: StepView[];
  end: EndColumn[];
  players: PlayerFigures[];
}

/** One turn, or what was said between, and how everybody stood after it. */
export interface StepView {
  kind: string;
  number: number;
  active: number;
  dice: string[];
  choices: (string | null)[];
  second: string | null;
  landing: number | null;
  misthrow: boolean;
  complete: boolean;
  sheets: string[];
  misthrows: number[];
  scores: number[] | null;
  closed: string[];
  pieces: number[];
  changes: Change[];
}

/** One player in one game. */
export interface PlayerFigures {
  score: number;
  locks: number;
  misthrows: number;
  crosses: number;
  on_others_turns: number;
}

/** How far a review is: its share, then itself. */
export interface Progress {
  share: number;
  review: ReviewedGame | null;
  trouble: string;
}

/** What a whole game was worth; `moments` are the decisions that cost most, the dearest first. */
export interface ReviewedGame {
  players: ReviewedPlayer[];
  moments: ReviewedDecision[];
  turns: ReviewedTurn[];
  decisions: ReviewedDecision[];
}

/** Play and luck of one player, apart, in points. */
export interface ReviewedPlayer {
  decisions: number;
  mean_loss: number;
  luck: number;
}

/** What was chosen, what was best, and what the difference cost: points, and chance of winning. */
export interface ReviewedDecision {
  turn: number;
  seat: number;
  action: number;
  chosen: string | number | null;
  best: string | number | null;
  points: number;
  win: number;
}

/** The chances of winning before a turn's roll, and the points that its dice gave above the average. */
export interface ReviewedTurn {
  turn: number;
  wins: number[];
  luck: number[];
}

/** All games together. */
export interface Tally {
  edition: string | null;
  editions: string[];
  games: number;
  paper: number;
  left_out: number;
  players: PlayerTally[];
  dice: DieVerdict[];
  throws: number;
  sources: SourceTally[];
}

/** One player over all games played to their end; names that differ in capitals only are one player. A player of the program is none of the people of that name, and each level is a player of its own. */
export interface PlayerTally {
  name: string;
  level: "easy" | "medium" | "hard" | null;
  games: number;
  wins: number;
  total: number;
  best: number;
  worst: number;
  locks: number;
  misthrows: number;
  crosses: number;
  on_others_turns: number;
  points: number[];
  followed: number;
}

/** One die, or the white pair: its counts of the faces 1 to 6, and what they say. */
export interface DieVerdict {
  die: string;
  counts: number[];
  verdict: "too-few" | "fair" | "uneven" | "loaded";
  chance: number | null;
  ever: number | null;
  often: number[];
  seldom: number[];
  noticed: number | null;
}

/** The throws of one source; `imported` if they were made elsewhere. */
export interface SourceTally {
  source: string;
  throws: number;
  counts: number[][];
}

/** The table's language, for whom the browser asks for neither. */
export interface ChooseLanguage {
  do: "language";
  page: string;
  language: string;
}

/** Another camera: the setting of one of those offered. */
export interface ChooseCamera {
  do: "choose-camera";
  page: string;
  camera: string;
}

/** The camera at an address in the network, as it was typed: with name and password, if it wants them. */
export interface UseAddress {
  do: "camera-address";
  page: string;
  address: string;
}

/** The picture will do. */
export interface AcceptCamera {
  do: "camera";
  page: string;
}

/** Take a picture and look in it for what the dice lie in. */
export interface FindLid {
  do: "find-lid";
  page: string;
}

/** The outline as it stands now; `moved` if a person put it there, `anyway` if its doubt was seen. */
export interface KeepCorners {
  do: "corners";
  page: string;
  corners: number[];
  moved: boolean;
  shape?: "corners" | "round" | "whole";
  anyway?: boolean;
}

/** The lid is empty: take its picture. */
export interface TakeEmpty {
  do: "empty";
  page: string;
}

/** The six dice are in their place: learn them. */
export interface TakeDice {
  do: "dice";
  page: string;
  outside?: "ask" | "keep" | "whole";
}

/** All six were rolled: read them. */
export interface ReadRoll {
  do: "roll";
  page: string;
}

/** What was read is what lies there, or it is not. */
export interface JudgeRoll {
  do: "judge-roll";
  page: string;
  roll: string;
  right: boolean;
}

/** Light one lamp alone; an empty name ends the trial. */
export interface LightLamp {
  do: "lamp";
  page: string;
  lamp: string;
}

/** Whether the person sees it lit. */
export interface JudgeLamp {
  do: "judge-lamp";
  page: string;
  lamp: string;
  seen: boolean;
}

/** Done with buttons and lamps. */
export interface AcceptPanel {
  do: "panel";
  page: string;
}

/** Who plays here, so that names need not be typed. */
export interface KeepPlayers {
  do: "players";
  page: string;
  names: string[];
}

/** Forget the steps; a calibration in force stays in force until a new one is confirmed. */
export interface StartAgain {
  do: "start-again";
  page: string;
}

export type SetUpWish = ChooseLanguage | ChooseCamera | UseAddress | AcceptCamera | FindLid | KeepCorners | TakeEmpty | TakeDice | ReadRoll | JudgeRoll | LightLamp | JudgeLamp | AcceptPanel | KeepPlayers | StartAgain;

/** All a set-up page shows. `number` rises with every change; `step` is the one to go on with. */
export interface SetUpView {
  number: number;
  step: "language" | "camera" | "lid" | "empty" | "dice" | "rolls" | "panel" | "players" | null;
  done: ("language" | "camera" | "lid" | "empty" | "dice" | "rolls" | "panel" | "players")[];
  busy: boolean;
  here: boolean;
  held: boolean;
  others: boolean;
  game: boolean;
  simulated: boolean;
  in_force: boolean;
  language: string;
  cameras: CameraChoice[];
  camera_fixed: boolean;
  camera: string;
  camera_says: string;
  picture: string;
  shape: "corners" | "round" | "whole";
  corners: Place[];
  kept: Place[];
  corners_found: boolean;
  doubt: Doubt | null;
  empty: string;
  dice_picture: string;
  dice: ShownDie[];
  warnings: Notice[];
  roll: RollShown | null;
  right: number;
  before: string;
  troubles: Notice[];
  troubled: "language" | "camera" | "lid" | "empty" | "dice" | "rolls" | "panel" | "players" | null;
  panel_simulated: boolean;
  lamps: TriedLamp[];
  buttons: TriedButton[];
  players: string[];
}

/** A camera to choose; `setting` is how it is named, `name` what it calls itself. */
export interface CameraChoice {
  setting: string;
  name: string;
  chosen: boolean;
}

/** An outline that holds less of what looks like dice than the picture shows. */
export interface Doubt {
  held: number;
  seen: number;
}

/** The roll to be confirmed: `certain` if it was read for sure. */
export interface RollShown {
  id: string;
  certain: boolean;
  judged: boolean;
  dice: ShownDie[];
}

/** A lamp of the panel: its wire, whether it is lit for the trial now, and what the person said. */
export interface TriedLamp {
  name: string;
  colour: string;
  pin: string;
  lit: boolean;
  seen: boolean | null;
}

/** A press the panel can tell, and whether it came since the trial began. */
export interface TriedButton {
  name: string;
  pin: string;
  seen: boolean;
}

/** A page says that it is open; with `take` it has camera and buttons, and a game waits. */
export interface PageOpen {
  page: string;
  take: boolean;
}

/** Which of the open pages sends it. */
export interface OfPage {
  page: string;
}

/** What the camera is good for now. `sharpness` is 100 where it just suffices; `lid`: one is seen. */
export interface Sight {
  light: "dark" | "dim" | "good" | "glaring" | null;
  focus: "soft" | "fair" | "sharp" | null;
  sharpness: number;
  lid: boolean;
  troubles: Notice[];
}

/** All lines: first what is wrong. `settles`: a word is wanted on what may be missing of the journal. */
export interface HealthView {
  facts: Fact[];
  settles: boolean;
}

/** One line of the health page. */
export interface Fact {
  name: string;
  text: string;
  state: "ok" | "note" | "wrong";
  todo: string;
}

/** What this host can do, so that pages leave out the rest. */
export interface Offers {
  camera: boolean;
  picture: boolean;
  photograph: boolean;
  photograph_first: boolean;
  seen: boolean;
  panel: boolean;
  setup: boolean;
  simulated: boolean;
  house: HouseRules;
  sheets: [string, string][];
}

/** What tables decide for themselves. */
export interface HouseRules {
  locks_take_effect: "at-once" | "end-of-turn";
  scores_hidden: boolean;
  pass_by_itself: boolean;
  patience: number;
  hints: "off" | "asked" | "always";
  pace: "human" | "at-once";
  leaning: "as-it-lies" | "rolled-again";
}

/** What is sent to each address, and what comes back. */
export interface Posts {
  "/api/wishes": { body: Wish; answer: Message };
  "/api/seats": { body: SitDown; answer: Message };
  "/api/asks": { body: AskForSeat; answer: Waiting };
  [path: `/api/asks/${string}`]: { body: Answer; answer: Record<string, never> };
  "/api/press": { body: Record<string, never>; answer: Record<string, never> };
  "/api/panel": { body: PanelPress; answer: Record<string, never> };
  "/api/boards": { body: BoardSent; answer: ShelfView };
  "/api/boards/check": { body: BoardSent; answer: CheckView };
  "/api/boards/read": { body: BoardFile; answer: FileView };
  [path: `/api/boards/${string}/delete`]: { body: Record<string, never>; answer: ShelfView };
  "/api/demo": { body: DemoOrder; answer: DemoMessage };
  [path: `/api/history/${string}/delete`]: { body: Record<string, never>; answer: Record<string, never> };
  "/api/setup": { body: SetUpWish; answer: SetUpView };
  "/api/setup/here": { body: PageOpen; answer: SetUpView };
  "/api/setup/leave": { body: OfPage; answer: Record<string, never> };
}
