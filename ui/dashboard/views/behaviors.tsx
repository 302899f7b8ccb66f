export function BehaviorsView() {
  return null;
}
