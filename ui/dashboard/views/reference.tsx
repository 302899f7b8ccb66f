export function ReferenceView() {
  return null;
}
