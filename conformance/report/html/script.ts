/** Filters items by status, and opens the item that the fragment of the URL names. Without the script, the page shows all items and no filter. */
export const script = `
const bar = document.querySelector('.bar');
const items = [...document.querySelectorAll('details.item')];
const buttons = [...bar.querySelectorAll('button[data-show]')];
bar.hidden = false;
function show() {
  const wanted = buttons.filter((button) => button.ariaPressed === 'true').map((button) => button.dataset.show);
  for (const item of items) item.hidden = wanted.length > 0 && !wanted.includes(item.dataset.status);
  for (const section of document.querySelectorAll('main > section')) section.hidden = !section.querySelector('details.item:not([hidden])');
}
for (const button of buttons) button.addEventListener('click', () => {
  button.ariaPressed = String(button.ariaPressed !== 'true');
  show();
});
function openNamed() {
  const named = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!named || !named.matches('details')) return;
  for (let around = named; around; around = around.parentElement) {
    if (around.matches('section, details')) around.hidden = false;
    if (around.matches('details')) around.open = true;
  }
  named.scrollIntoView();
}
addEventListener('hashchange', openNamed);
openNamed();
`;
