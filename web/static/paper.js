// The page of blank sheets: one button, for whoever does not know the browser's own way to print.
// @ts-check

import { $, mark } from "./dom.js";

mark($("print"), "hidden", null);
$("print").addEventListener("click", () => print());
