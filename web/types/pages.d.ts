// What scripts are given beside the interface: what a page begins with, elements, and what they hand each other.

import type {
  DemoMessage,
  EndColumn,
  ErrorBody,
  Message,
  Offers,
  OwnView,
  Place,
  Posts,
  SetUpView,
  ShelfView,
  Sight,
  View,
} from "./api.d.ts";

// --- what a page begins with ----------------------------------------------------------------------------

/** Texts by their keys; one that depends on a number has several forms. */
export type Words = Record<string, string | Record<string, string>>;

export interface PageData {
  words: Words;
  language: string;
}

/** Of phones and the table display. */
export interface PlayData extends PageData {
  message: Message;
  address: string;
  offers: Offers;
}

export interface BoardsData extends PageData {
  shelf: ShelfView;
}

export interface DemoData extends PageData {
  message: DemoMessage;
}

export interface SetUpData extends PageData {
  view: SetUpView;
  steps: SetUpStep[];
  languages: [string, string][];
  longest_name: number;
}

// --- elements -------------------------------------------------------------------------------------------

type ByTag<Tag extends string> = Tag extends keyof HTMLElementTagNameMap ? HTMLElementTagNameMap[Tag]
  : HTMLElement;

/** What "button.big" makes: a button. */
export type Made<What extends string> = What extends `${infer Tag}.${string}` ? ByTag<Tag> : ByTag<What>;

export type Child = Node | string | null | undefined;

/** Attributes and listeners of an element that is made; what is null or false is left out. */
export interface Settings {
  style?: Record<string, string | number>;
  onclick?: (event: MouseEvent & { currentTarget: HTMLElement }) => unknown;
  onchange?: (event: Event & { target: HTMLInputElement }) => unknown;
  oninput?: (event: Event & { target: HTMLInputElement }) => unknown;
  onsubmit?: (event: SubmitEvent) => unknown;
  [name: string]:
    | string
    | number
    | boolean
    | null
    | undefined
    | Record<string, string | number>
    | ((event: never) => unknown);
}

/** What a key's words may have in their holes. */
export type Values = Record<string, string | number | boolean | null | undefined>;

// --- wishes ---------------------------------------------------------------------------------------------

export type Wish = Posts["/api/wishes"]["body"];
export type Do<Kind extends Wish["do"]> = Extract<Wish, { do: Kind }>;
export type SetUpStep = NonNullable<SetUpView["step"]>;

/** A wish of the set-up, as a step says it; the page that wishes is named where it is sent. */
export type SetUpWish = WithoutPage<Posts["/api/setup"]["body"]>;
type WithoutPage<Kind> = Kind extends unknown ? Omit<Kind, "page"> : never;

// --- the link to the table ------------------------------------------------------------------------------

/** What a stream brings: a number of a run, and at tables the view that wishes are made for. */
export interface Received {
  run: string;
  sequence: number;
  view?: { moment: string };
}

export type LinkState = "live" | "offline" | "elsewhere" | "gone";

/** What a page does with what the link hears. */
export interface Shows<Message extends Received> {
  view(message: Message, pending: Wish[], quick?: boolean): void;
  refused?(error: ErrorBody, wish: Wish): void;
  state(now: LinkState): void;
}

/** What became of something sent: an answer, a refusal, or neither where it was not done. */
export interface Answered<Answer> {
  done: boolean;
  answer?: Answer;
  error?: ErrorBody;
}

/** Wishes as a page says them: the seat in front is added, and what is resent is told by its id. */
export type Act = (wish: Wish) => unknown;

// --- boards that are entered ----------------------------------------------------------------------------

export type EntrySide = "front" | "back";

export interface Space {
  cell: string;
  points: string;
}

/** A board as it is typed: texts such as R7:3. */
export interface Draft {
  id: string;
  name: string;
  front: string[];
  back: string[];
  side?: EntrySide;
  changed: boolean;
}

// --- a sheet that is shown ------------------------------------------------------------------------------

/** A seat's own sheet with the wishes that are under way, and the hint that holds now. */
export interface Shown extends OwnView {
  sent?: boolean;
  hinted?: string | null;
  hinted_space?: number | null;
}

export type Seen = View["eyes"]["dice"][number];
export type PanelButton = Posts["/api/panel"]["body"]["button"];

// --- the club -------------------------------------------------------------------------------------------

/** A seat as a card has it: name, score, and whether it is active, decides, has won. */
export type ClubSeat = [string, number | null, number, number, number];

export interface ClubTable {
  box: string;
  online: boolean;
  phase: string;
  turn: number | null;
  edition: string;
  seats: ClubSeat[];
  white: number | null;
  dice: [string, number][];
  closed: string[];
  since: number | null;
}

export interface ClubGame {
  box: string;
  id: number;
  at: number;
  stopped: boolean;
  players: [string, number, number][];
}

export interface ClubMessage extends Received {
  books: number;
  at: number;
  now: number;
  connected: boolean;
  kept: boolean;
  games: ClubGame[] | null;
  tables: ClubTable[];
}

export interface ClubData extends PageData {
  message: ClubMessage;
}

// --- what a phone's parts hand each other ---------------------------------------------------------------

/** The tone that calls: loaded with the first tap. */
export interface Tone {
  module: { call(): void; wake(): void } | null;
  on: boolean;
}

/** What the screens around the sheet may do. */
export interface Hands {
  act: Act;
  tell(text: string): void;
  link: { message: Message | null };
  post(path: `/api/asks/${string}`, body: { yes: boolean }): unknown;
  offers: Offers;
  tone: Tone;
  enter(): void;
}

/** What the menu's repairs may do. */
export interface RepairHands {
  act: Act;
  close(): void;
  enter(): void;
  correct(seat: number): void;
}

/** What the dice strip asks for. */
export interface DiceWishes {
  correct(dice: string): unknown;
  roll(dice: string): unknown;
  move(space: number): unknown;
  virtual(): unknown;
  press(): unknown;
  photograph(): unknown;
  refuse(text: string): unknown;
}

/** A line of the final reckoning: a title, and what it gives a player. */
export interface Reckoned {
  kind: string;
  lock?: string;
  title: string;
  points(end: EndColumn): number;
}

// --- a past game ----------------------------------------------------------------------------------------

/** From one step to another, both with it. */
export type Span = [from: number, to: number];

export interface PastRow {
  node: HTMLElement;
  closed: Span[];
  cells: { node: HTMLElement; on: Span[] }[];
  lock: { node: HTMLElement; on: Span[] };
}

export interface PastSheet {
  misthrows: number[];
  scores: number[];
  pieces: number[];
  score: Element | undefined;
  piece: Element | undefined;
  boxes: HTMLElement;
  rows: PastRow[];
}

// --- the set-up -----------------------------------------------------------------------------------------

export type Trouble = SetUpView["troubles"][number];
export type Lamp = SetUpView["lamps"][number];
export type Shape = SetUpView["shape"];

/** Tells the table what a step wants; `next` is called once the server kept it. */
export type Wishes = (body: SetUpWish, next?: (newest: SetUpView) => void) => unknown;

/** A die outlined in a picture. */
export interface Outlined {
  colour: string;
  pips: number;
  doubtful: boolean;
  corners: Place[];
}

/** A ring drawn over a picture. */
export interface Ring {
  places: Place[];
  kind: string;
}

/** In pixels of the page. */
export interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** An ellipse: its middle and the ends of its half axes. */
export interface Ellipse {
  centre: Place;
  ends: Place[];
}

/** An outline at one moment of its drawing. */
export interface Drawn {
  shape: Shape;
  corners: Place[] | null;
  round: Ellipse | null;
}

/** What a handle moves. */
export interface Part {
  kind: "corner" | "between" | "centre" | "end";
  n: number;
}

/** Where it stands, and what it is called. */
export interface StandingPart extends Part {
  place: Place;
  label: string;
}

/** What a step of the set-up is painted from. */
export interface StepHands {
  view: SetUpView;
  wish: Wishes;
  busy: boolean;
  live: {
    stage(corners: Place[]): HTMLElement;
    sight(node: Element, tell: (sight: Sight) => void): void;
  };
  overlay(source: string, dice: Outlined[], corners: Place[]): HTMLElement;
  next(): void;
  go(step: SetUpStep): void;
}

/** What a step paints, and the parts of the view after whose change it is painted anew. */
export interface StepPaint {
  paint(hands: StepHands): Node[];
  depends(view: SetUpView): unknown[];
}
