import { BaseError } from '../core/errors/baseError.ts'

/**
 * Whether the installed SDK reads XDR as releases 15 and 16 do. Release 17 has another way, in which nothing here would find what it
 * looks for.
 *
 * @throws {@link UnsupportedSdkError}
 */
export function checkSdk(xdr: object): void {
  const { TransactionEnvelope } = xdr as { TransactionEnvelope?: { prototype?: { switch?: unknown } } } // read with care
  if (typeof TransactionEnvelope?.prototype?.switch === 'function') return
  throw new UnsupportedSdkError(
    'The installed @stellar/stellar-sdk reads transactions in a way that is not known here.',
    {
      fix: 'Install @stellar/stellar-sdk 15 or 16.',
      docs: 'peerDependencies of package.json',
    },
  )
}

/** A release of `@stellar/stellar-sdk` outside of the supported range. */
export class UnsupportedSdkError extends BaseError {
  override readonly name = 'UnsupportedSdkError'
}
