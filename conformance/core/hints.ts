/** The contract's body field that names the card in an adjustment by ID. Its name on the target is open. */
export const adjustmentCardField = 'AddAdjustmentByGiftCardIdRequest.giftCardId';

/** What a user can do if an operation does not accept requests as in the contract. */
export const hints: Readonly<Record<string, string>> = {
  'POST /api/GiftCardAdjustment/AddAdjustmentByGiftCardId': `if it has another name, give it with --variant FILE: overrides: [{ rename: ${adjustmentCardField}, to: NAME }]`,
};
