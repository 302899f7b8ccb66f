export function RequestsView() {
  return null;
}
