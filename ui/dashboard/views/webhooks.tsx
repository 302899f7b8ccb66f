export function WebhooksView() {
  return null;
}
