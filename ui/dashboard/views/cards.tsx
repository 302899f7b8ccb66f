export function CardsView() {
  return null;
}
