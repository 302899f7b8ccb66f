export function FaultsView() {
  return null;
}
