// SPDX-License-Identifier: Apache-2.0
// page.js: puts the sections together.

const themes = ["auto", "light", "dark"];
function showTheme(theme) {
  if (theme === "auto") document.documentElement.removeAttribute("data-theme");
  else document.documentElement.setAttribute("data-theme", theme);
  const button = document.getElementById("theme");
  button.textContent = `theme: ${theme}`;
  button.onclick = () => showTheme(themes[(themes.indexOf(theme) + 1) % themes.length]);
}

showTheme("auto");
document.getElementById("main").replaceChildren();
if (isStats) showStats();
else showOverview();
if (isDiff) showDifference();
else if (!isStats) showKept();
if (!isStats) showOperators();
const nodeTable = nodes.length ? showNodes() : null;
const picture = nodes.length ? showPicture() : null;
if (constants.length) showCosts();
if (!isDiff && !isStats) showSteps();
document.documentElement.setAttribute("data-ready", "");
