// The outline of where the dice lie while somebody draws it: corners, an ellipse or none, and what can be
// undone.
// @ts-check

/** @import { Place } from "../types/api.d.ts" */
/** @import { Drawn, Ellipse, Shape } from "../types/pages.d.ts" */

// where none was found
const ASIDE = [[0.2, 0.2], [0.8, 0.2], [0.8, 0.8], [0.2, 0.8]].map(([x, y]) => ({ x, y }));
const ROUND_POINTS = 24; // the first and the one a quarter round it end the half axes
const CORNERS_OF_ROUND = 8;
export const LEAST = 3;
export const MOST = 24;
const LEAST_AREA = 0.01; // of the picture
const MOST_UNDONE = 50;

/** @param {number} value */
const within = (value) => Math.min(1, Math.max(0, value));
/** @param {Place} place */
const inside = ({ x, y }) => ({ x: within(x), y: within(y) });
/**
 * @param {Place} from
 * @param {Place} to
 */
const off = (from, to) => ({ x: to.x - from.x, y: to.y - from.y });
/**
 * @param {Place} place
 * @param {Place} way
 * @param {number} [much]
 */
const beside = (place, way, much = 1) => ({ x: place.x + much * way.x, y: place.y + much * way.y });
/** @param {Place[]} places */
const middle = (places) => ({
  x: places.reduce((sum, { x }) => sum + x, 0) / places.length,
  y: places.reduce((sum, { y }) => sum + y, 0) / places.length,
});
/**
 * @param {Place} a
 * @param {Place} b
 * @param {Place} c
 */
const turn = (a, b, c) => (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);

/** @param {Place[]} places */
function area(places) {
  return Math.abs(
    places.reduce(
      (sum, { x, y }, n) =>
        sum + x * places[(n + 1) % places.length].y - places[(n + 1) % places.length].x * y,
      0,
    ),
  ) / 2;
}

/** @param {Place[]} places */
function crosses(places) {
  const count = places.length;
  /** @param {number} n */
  const end = (n) => places[(n + 1) % count];
  return places.some((a, one) =>
    places.some((c, other) =>
      other > one + 1 && (other + 1) % count !== one &&
      turn(a, end(one), c) * turn(a, end(one), end(other)) < 0 &&
      turn(c, end(other), a) * turn(c, end(other), end(one)) < 0
    )
  );
}

/**
 * Points of an ellipse, given its middle and the ends of its half axes.
 * @param {Ellipse} ellipse
 * @param {number} count
 * @returns {Place[]}
 */
function around({ centre, ends }, count) {
  const [long, high] = ends.map((end) => off(centre, end));
  return Array.from({ length: count }, (_, n) => {
    const angle = (2 * Math.PI * n) / count;
    return beside(beside(centre, long, Math.cos(angle)), high, Math.sin(angle));
  });
}

export class Outline {
  /**
   * ratio(): width over height of the picture, whose places are fractions of it.
   * @param {Shape} shape
   * @param {Place[]} places
   * @param {() => number} ratio
   */
  constructor(shape, places, ratio) {
    this.ratio = ratio;
    /** @type {Drawn[]} */
    this.past = [];
    const round = shape === "round"
      ? { centre: middle(places), ends: [places[0], places[places.length / 4]] }
      : null;
    /** @type {Drawn} */
    this.now = {
      shape,
      corners: places.length && !round ? places.map(({ x, y }) => ({ x, y })) : null,
      round,
    };
    this.first = this.now;
  }

  get moved() {
    return this.now !== this.first;
  }

  get shape() {
    return this.now.shape;
  }

  /** None where none were drawn yet. */
  get corners() {
    return this.now.corners ?? [];
  }

  get round() {
    const { round } = this.now;
    if (!round) throw new Error(`no ellipse in an outline of ${this.shape}`);
    return round;
  }

  /** What is drawn and kept: the way round, none where the whole picture counts. */
  get places() {
    if (this.shape === "whole") return [];
    return this.shape === "round" ? around(this.round, ROUND_POINTS).map(inside) : this.corners;
  }

  /** The way round as it is drawn: an ellipse smoother than it is kept. */
  get line() {
    return this.shape === "round" ? around(this.round, 4 * ROUND_POINTS) : this.places;
  }

  /** The word for what is wrong with it, "" if it may be kept. */
  get fault() {
    const { places } = this;
    if (this.shape === "whole") return "";
    if (crosses(places)) return "set-up-crossed";
    return area(places) < LEAST_AREA ? "set-up-small" : "";
  }

  /** Remembers how it is, before it changes. */
  begin() {
    if (this.past.at(-1) === this.now) return;
    this.past = [...this.past, this.now].slice(-MOST_UNDONE);
  }

  /** @param {Partial<Drawn>} part */
  change(part) {
    this.now = { ...this.now, ...part };
  }

  /** A grip that moved nothing leaves nothing to undo. */
  end() {
    if (this.past.at(-1) === this.now) this.past = this.past.slice(0, -1);
  }

  undo() {
    this.now = this.past.at(-1) ?? this.now;
    this.past = this.past.slice(0, -1);
  }

  /** @param {Shape} shape */
  become(shape) {
    if (shape === this.shape) return;
    this.begin();
    const { round } = this.now;
    if (shape === "corners") {
      this.change({
        shape,
        corners: this.now.corners ?? (round ? around(round, CORNERS_OF_ROUND).map(inside) : ASIDE),
      });
    } else if (shape === "round") this.change({ shape, round: round ?? this.circle() });
    else this.change({ shape });
  }

  /** As large as what was drawn with corners. */
  circle() {
    const places = this.now.corners ?? ASIDE;
    const centre = middle(places);
    const radius = Math.sqrt((area(places) * this.ratio()) / Math.PI); // in heights of the picture
    return {
      centre,
      ends: [beside(centre, { x: radius / this.ratio(), y: 0 }), beside(centre, { x: 0, y: radius })],
    };
  }

  /**
   * @param {number} n
   * @param {Place} place
   */
  moveCorner(n, place) {
    this.change({ corners: this.corners.map((old, each) => (each === n ? inside(place) : old)) });
  }

  /**
   * A new corner in the middle of the side that begins at that one; its number.
   * @param {number} n
   */
  add(n) {
    const { corners } = this;
    this.begin();
    this.change({
      corners: [
        ...corners.slice(0, n + 1),
        middle([corners[n], corners[(n + 1) % corners.length]]),
        ...corners.slice(n + 1),
      ],
    });
    return n + 1;
  }

  /** @param {number} n */
  remove(n) {
    this.begin();
    this.change({ corners: this.corners.filter((_, each) => each !== n) });
  }

  /** The side that is longest in the picture, by the corner it begins at. */
  get longest() {
    const long = this.corners.map((place, n) =>
      this.length(off(place, this.corners[(n + 1) % this.corners.length]))
    );
    return long.indexOf(Math.max(...long));
  }

  /** @param {Place} way */
  length(way) {
    return Math.hypot(way.x * this.ratio(), way.y);
  }

  /** @param {Place} place */
  moveCentre(place) {
    const way = off(this.round.centre, inside(place));
    this.change({ round: { centre: inside(place), ends: this.round.ends.map((end) => beside(end, way)) } });
  }

  /**
   * One end of a half axis goes there; the other one stays as long as it is, and square to it.
   * @param {number} n
   * @param {Place} place
   */
  moveEnd(n, place) {
    const { centre, ends } = this.round;
    const way = off(centre, inside(place));
    const length = this.length(way);
    if (!length) return;
    const other = off(centre, ends[1 - n]);
    const aside = { x: -way.y / this.ratio(), y: way.x * this.ratio() };
    const side = turn({ x: 0, y: 0 }, way, other) < 0 ? -1 : 1;
    const moved = [inside(place), beside(centre, aside, (side * this.length(other)) / length)];
    this.change({ round: { centre, ends: n ? moved.reverse() : moved } });
  }
}
