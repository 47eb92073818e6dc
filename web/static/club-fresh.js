// A page of the club shows the newest by itself; while somebody fills in a form, it only says that there is
// something newer.
// @ts-check

import { $, data, el, fill, mark, say, touched } from "./dom.js";
import { Link } from "./link.js";

/** @import { ClubData, ClubMessage, Shows } from "../types/pages.d.ts" */

const { run, books } = /** @type {ClubData} */ (data).message;
let writes = false;

const paths = { live: "/api/live?only=books", view: "/api/view?only=books" };
/** @type {Shows<ClubMessage>} */
const shows = {
  view(message) {
    if (message.run === run && message.books === books) return;
    if (!writes) return location.reload();
    fill(
      $("fresh"),
      say("club.fresh"),
      " ",
      el("button.small", { type: "button", onclick: () => location.reload() }, say("club.fresh_go")),
    );
    mark($("fresh"), "hidden", null);
  },
  state() {},
};

const busy = () => (writes = true);
document.addEventListener("input", busy);
document.addEventListener("submit", busy); // a page that is loaded anew just then would take it back
document.addEventListener(
  "click",
  (event) => touched(event, "a") && busy(),
);
new Link(shows, paths).start(null);
