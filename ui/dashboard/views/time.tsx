export function TimeView() {
  return null;
}
