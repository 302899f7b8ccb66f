/** Filters items by status and text, and opens the item that the address names. Without a script the page shows everything and hides the filter bar. */
export const script = `
const bar = document.querySelector('.bar');
const items = [...document.querySelectorAll('details.item')];
const buttons = [...bar.querySelectorAll('button[data-show]')];
const words = bar.querySelector('input');
const output = bar.querySelector('output');
bar.hidden = false;
function show() {
  const wanted = buttons.filter((button) => button.ariaPressed === 'true').map((button) => button.dataset.show);
  const term = words.value.trim().toLowerCase();
  let number = 0;
  for (const item of items) {
    const fits = (wanted.length === 0 || wanted.includes(item.dataset.status)) && (term === '' || item.dataset.words.includes(term));
    item.hidden = !fits;
    if (fits) number += 1;
  }
  for (const section of document.querySelectorAll('main > section')) section.hidden = !section.querySelector('details.item:not([hidden])');
  output.textContent = number + ' of ' + items.length + ' items';
}
for (const button of buttons) button.addEventListener('click', () => {
  button.ariaPressed = String(button.ariaPressed !== 'true');
  show();
});
words.addEventListener('input', show);
bar.querySelector('form').addEventListener('submit', (event) => event.preventDefault());
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
show();
openNamed();
`;
