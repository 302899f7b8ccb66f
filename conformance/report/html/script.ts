/** Filters by verdict and by text, and opens what an address names. The page is whole without it; the filter bar is not shown then. */
export const script = `
const bar = document.querySelector('.bar');
const clauses = [...document.querySelectorAll('details.clause')];
const buttons = [...bar.querySelectorAll('button[data-show]')];
const words = bar.querySelector('input');
const told = bar.querySelector('output');
bar.hidden = false;
function show() {
  const wanted = buttons.filter((button) => button.ariaPressed === 'true').map((button) => button.dataset.show);
  const differs = wanted.includes('differs');
  const verdicts = wanted.filter((each) => each !== 'differs');
  const sought = words.value.trim().toLowerCase();
  let number = 0;
  for (const clause of clauses) {
    const has = clause.dataset.verdicts.split(' ');
    const fits = (verdicts.length === 0 || verdicts.some((each) => has.includes(each))) &&
      (!differs || has.includes('differs')) && (sought === '' || clause.dataset.words.includes(sought));
    clause.hidden = !fits;
    if (fits) number += 1;
  }
  for (const section of document.querySelectorAll('main > section')) section.hidden = !section.querySelector('details.clause:not([hidden])');
  told.textContent = number + ' of ' + clauses.length + ' clauses';
}
for (const button of buttons) button.addEventListener('click', () => {
  button.ariaPressed = String(button.ariaPressed !== 'true');
  show();
});
words.addEventListener('input', show);
bar.querySelector('form').addEventListener('submit', (event) => event.preventDefault());
document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.target.closest('input')) return;
  event.preventDefault();
  words.focus();
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
show();
openNamed();
`;
