export function AdviceView() {
  return null;
}
