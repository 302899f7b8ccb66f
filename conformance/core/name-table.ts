/** Until openapi/generated/names.ts exists. */
export const names: readonly {
  readonly clause: string;
  readonly targets: readonly string[];
  readonly alternatives: readonly string[];
}[] = [
  {
    clause: 'names.adjustment-by-id',
    targets: ['AddAdjustmentByGiftCardIdRequest.giftCardId'],
    alternatives: ['id', 'giftCardID'],
  },
  {
    clause: 'names.channel-lookup',
    targets: ['getGiftCardByAccountPlatformIdAndSourceId.accountPlatformId'],
    alternatives: ['platformId'],
  },
  {
    clause: 'names.channel-lookup',
    targets: ['getGiftCardByAccountPlatformIdAndSourceId.sourceId'],
    alternatives: ['giftCardSourceId'],
  },
];
