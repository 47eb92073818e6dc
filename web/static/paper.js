// The page of blank sheets: one button, for whoever does not know the browser's own way to print.

import { $, mark } from "./dom.js";

mark($("print"), "hidden", null);
$("print").addEventListener("click", () => print());
