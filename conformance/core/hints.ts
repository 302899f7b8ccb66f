/** The field of the contract that names the card in an adjustment by ID; which name it has is open. */
export const cardField = 'AddAdjustmentByGiftCardIdRequest.giftCardId';

/** What somebody can tell the run so that an operation, as the contract has it, is asked as the target wants it. */
export const waysOut: Readonly<Record<string, string>> = {
  'POST /api/GiftCardAdjustment/AddAdjustmentByGiftCardId': `if its body names the card otherwise, tell the name with --facts FILE that says wire: [{ rename: ${cardField}, to: NAME }]`,
};
