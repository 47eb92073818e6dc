// Waits until the review of a game is there, then puts it in its place: whoever looks at a turn stays there.

const share = document.getElementById("review-share");

/** The page as a document; nothing of it runs. */
const page = () =>
  new Promise((done, failed) => {
    const request = new XMLHttpRequest();
    request.open("GET", `/history/${share.dataset.game}`);
    request.responseType = "document";
    request.addEventListener("load", () => done(request.response));
    request.addEventListener("error", failed);
    request.send();
  });

const look = async () => {
  try {
    const answer = await (await fetch(`/api/history/${share.dataset.game}/review`)).json();
    share.value = 100 * answer.share;
    const made = answer.review || answer.trouble ? (await page())?.getElementById("review") : null;
    if (made && !made.querySelector("progress")) {
      return document.getElementById("review").replaceWith(document.adoptNode(made));
    }
  } catch {
    // no connection just now: the next look tells
  }
  return setTimeout(look, 700);
};
if (share) look();
