import { BaseError } from '../../core/errors/baseError.ts'

/** The error for a wallet that signed something else than it was given. */
export function changedByWallet(): ChangedByWalletError {
  return new ChangedByWalletError('The wallet changed what it was given to sign.', {
    field: 'transaction',
    fix: "Turn off the wallet's own additions (fee changes), let the sponsor sign first, or use another wallet.",
  })
}

/** The wallet signed something else than it was given. */
export class ChangedByWalletError extends BaseError {
  override readonly name = 'ChangedByWalletError'
}
