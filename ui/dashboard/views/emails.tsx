export function EmailsView() {
  return null;
}
