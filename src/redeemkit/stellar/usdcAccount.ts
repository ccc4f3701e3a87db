import type { rpc, xdr as Xdr } from '@stellar/stellar-sdk'
import { BaseError } from '../core/errors/baseError.ts'
import { accountOperations, type ExpectedAccount, expectedInvocation } from './expected.ts'
import { networkOf, type StellarEnvironment } from './networks.ts'
import { Asset, fromSdk, Keypair, xdr } from './sdk.ts'
import { guardBuilt, type guardRequest } from './transaction/guardRequest.ts'
import { startTransaction } from './transaction/stellarTransaction.ts'
import { trustlineKeyOf } from './usdcTransfer.ts'
import { amountText } from './values.ts'

/**
 * Builds the transaction that prepares a customer without XLM for the first payment: the sponsor pays for the USDC
 * trustline, and creates the account if it does not exist. The sponsor also pays the fee and the reserves (1 XLM for
 * the account, 0.5 XLM for the trustline), and gets the reserves back when account and trustline are removed.
 *
 * The sponsor and the customer sign it, in any order.
 *
 * @returns the unsigned transaction as base64 XDR, and the `expected` for `signTransaction`; undefined if the account already holds
 * USDC
 * @throws `MissingAccountError` if the sponsor has no account, `MissingReserveError` if it lacks the XLM for the reserves;
 * `WrongPartyError`, `InvalidAddressError`, `InvalidOptionError`
 * @see CAP-33; PROTOCOL.md 9.4
 * @example
 * ```ts
 * import { Keypair, rpc } from '@stellar/stellar-sdk'
 * import { signTransaction, usdcAccount } from 'redeemkit/stellar'
 * async function welcome(customer: Keypair, sponsor: Keypair) {
 *   const client = new rpc.Server('https://rpc.example')
 *   const environment = 'sandbox'
 *   const from = customer.publicKey()
 *   const built = await usdcAccount(client, { environment, from, sponsor: sponsor.publicKey() })
 *   if (built === undefined) return
 *   const transaction = await signTransaction(customer, { ...built, environment })
 *   return signTransaction(sponsor, { ...built, transaction, environment })
 * }
 * ```
 */
export async function usdcAccount(
  client: usdcAccount.Client,
  options: usdcAccount.Options,
): Promise<usdcAccount.ReturnType | undefined> {
  const network = networkOf(options?.environment)
  const { from, sponsor } = options
  const asked = { kind: 'account', from, sponsor, creates: true } as const
  // Validates the accounts.
  expectedInvocation(asked, network)
  const { usdc } = network
  const trustlineKey = trustlineKeyOf(from, new Asset(usdc.code, usdc.issuer))
  const [accountKey, sponsorKey] = [accountKeyOf(from), accountKeyOf(sponsor)]
  const { entries } = await fromSdk(client).getLedgerEntries(accountKey, trustlineKey, sponsorKey)
  const find = (key: Xdr.LedgerKey) =>
    entries.find((entry) => entry.key.toXDR('base64') === key.toXDR('base64'))
  if (find(trustlineKey) !== undefined) return undefined
  const creates = find(accountKey) === undefined
  const expected = { ...asked, creates }
  const builder = await startTransaction(client, { ...options, expected, network })
  for (const operation of accountOperations(expected, network)) builder.addOperation(operation)
  const built = builder.build()
  const account = find(sponsorKey)?.val.account()
  if (account !== undefined) checkReserve(account, { entries: creates ? 3 : 1, fee: BigInt(built.fee) })
  return { transaction: guardBuilt(built.toXDR(), { ...options, expected }), expected }
}

export declare namespace usdcAccount {
  /** The SDK's `rpc.Server`, or an object with the same methods. */
  type Client = startTransaction.Client & Pick<rpc.Server, 'getLedgerEntries'>
  type Options = startTransaction.Terms & {
    environment: StellarEnvironment
    /** The customer's address, `G…`. The account need not exist. */
    from: string
    /** The account that pays the fee and the reserves. */
    sponsor: string
  }
  type ReturnType = { transaction: string; expected: ExpectedAccount }
  type ErrorType = MissingReserveError | startTransaction.ErrorType | guardRequest.ErrorType
}

function accountKeyOf(address: string): Xdr.LedgerKey {
  return xdr.LedgerKey.account(
    new xdr.LedgerKeyAccount({ accountId: Keypair.fromPublicKey(address).xdrAccountId() }),
  )
}

/** Reserve per ledger entry, in stroops: 0.5 XLM on every network. */
const baseReserve = 5_000_000n

/**
 * Checks that a sponsor has the XLM for the reserves (CAP-33). Without it, the transaction would fail and still cost its fee. `entries`
 * counts the new ledger entries whose reserves the sponsor pays, an account as two. `fee` is in stroops.
 */
export function checkReserve(
  account: Xdr.AccountEntry,
  { entries, fee }: { entries: number; fee: bigint },
): void {
  const v1 = account.ext().switch() === 1 ? account.ext().v1() : undefined
  const v2 = v1?.ext().switch() === 2 ? v1.ext().v2() : undefined
  const count = 2 + account.numSubEntries() + (v2?.numSponsoring() ?? 0) - (v2?.numSponsored() ?? 0) + entries
  const selling = BigInt(v1?.liabilities().selling().toString() ?? 0)
  const balance = BigInt(account.balance().toString())
  const needed = BigInt(count) * baseReserve + selling + fee
  if (balance < needed)
    throw new MissingReserveError(
      `The sponsor has ${amountText(balance)} XLM, but needs ${amountText(needed)} including its reserves.`,
      { field: 'sponsor', fix: 'Send XLM to the sponsor, or use another sponsor.', source: 'CAP-33' },
    )
}

/** The sponsor has too little XLM for its reserves. */
export class MissingReserveError extends BaseError {
  override readonly name = 'MissingReserveError'
}
