import { attempt } from '../../../redeemkit/core/attempt.ts'
import type { Environment } from '../../../redeemkit/core/blockchains.ts'
import type { Clock } from '../../../redeemkit/core/clock.ts'
import { jsonText } from '../../../redeemkit/core/parseJson.ts'
import { parseTransaction } from '../../../redeemkit/stellar/envelope/envelope.ts'
import { checkAmount, type ExpectedTransaction } from '../../../redeemkit/stellar/expected.ts'
import { networkOf } from '../../../redeemkit/stellar/networks.ts'
import { Asset, Keypair, StrKey, xdr } from '../../../redeemkit/stellar/sdk.ts'
import { stellarTransaction } from '../../../redeemkit/stellar/transaction/stellarTransaction.ts'
import { usdcTransfer } from '../../../redeemkit/stellar/usdcTransfer.ts'
import { checkAddress } from '../../../redeemkit/stellar/values.ts'
import { openServer } from '../../chains/stellar/openServer.ts'
import { invalid } from '../http/problem.ts'
import {
  amountOf,
  inspectTransfer,
  isPreparedTransaction,
  parseFacts,
  resumeTransfer,
  settleTransfer,
  type TransferContext,
} from './settleStellarTransfer.ts'
import type { PreparedTransfer, StellarSponsors, TransferChain, TransferRequest } from './transferChain.ts'

/** Returns an account's USDC in millionths, rounded down from Stellar's ten-millionths; 0 without a trustline. */
async function readStellarUsdc({ client, network }: TransferContext, wallet: string): Promise<bigint> {
  const { entries } = await client.getLedgerEntries(
    xdr.LedgerKey.trustline(
      new xdr.LedgerKeyTrustLine({
        accountId: Keypair.fromPublicKey(wallet).xdrAccountId(),
        asset: new Asset(network.usdc.code, network.usdc.issuer).toTrustLineXDRObject(),
      }),
    ),
  )
  return BigInt(entries[0]?.val.trustLine().balance().toString() ?? 0) / 10n
}

function checkTransferRequest(request: Omit<TransferRequest, 'sponsor'>): void {
  const { wallet, destination, cents, paymentId, call } = request
  checkAddress(wallet, 'from')
  if (!StrKey.isValidContract(destination)) checkAddress(destination, 'to')
  if (destination === wallet) throw invalid('destination', 'A wallet cannot pay itself.')
  checkAmount(amountOf(cents))
  if (paymentId !== undefined && Buffer.byteLength(paymentId) > 28)
    throw invalid('paymentId', 'On Stellar a payment id has at most 28 bytes.')
  call?.args.forEach((arg, index) => {
    if (!isScVal(arg)) throw invalid(`call.args[${index}]`, 'The argument must be base64 XDR of an ScVal.')
  })
  if (call !== undefined && !StrKey.isValidContract(call.contract))
    throw invalid('call.contract', 'A contract address has 56 characters and starts with C.')
}

function isScVal(arg: string): boolean {
  return attempt(() => xdr.ScVal.fromXDR(arg, 'base64').toXDR('base64')) === arg
}

async function prepareStellarTransfer(
  context: TransferContext,
  request: TransferRequest,
): Promise<PreparedTransfer> {
  const { network } = context
  const { transaction, expected, validUntilLedger } = await build(context, request)
  const validUntil = Number(parseTransaction(transaction, network).transaction.timeBounds?.maxTime)
  return {
    amount: amountOf(request.cents),
    facts: jsonText({ transaction, expected }),
    expiresAt: new Date(validUntil * 1000),
    answer: {
      transaction,
      networkPassphrase: network.networkPassphrase,
      validUntil,
      ...(validUntilLedger === undefined ? {} : { validUntilLedger }),
      expected: JSON.parse(jsonText(expected)),
    },
  }
}

async function build(
  { client, environment, now }: TransferContext,
  request: TransferRequest,
): Promise<usdcTransfer.ReturnType> {
  const { call, paymentId, wallet: from, destination: to, sponsor, cents } = request
  const amount = amountOf(cents)
  const options = { environment, now }
  if (call === undefined) {
    // A contract call has no memo, because the network rejects memos in transactions with authorizations.
    const memo = StrKey.isValidContract(to) ? undefined : paymentId
    return usdcTransfer(client, { ...options, from, to, amount, sponsor, memo })
  }
  // The call takes the amount from the customer and forwards it to the destination.
  const expected: ExpectedTransaction = { kind: 'call', from, sponsor, ...call, spends: { to, amount } }
  return { ...(await stellarTransaction(client, { ...options, expected })), expected }
}

/** Creates USDC transfers on Stellar: a classic payment or a merchant contract call, with the sponsor as source account. */
export function stellarTransfers(
  options: StellarSponsors & { environment: Environment; now: Clock },
): TransferChain {
  const { rpcUrl, sponsorKeys, environment, now } = options
  const keypairs = sponsorKeys.map((key) => Keypair.fromSecret(key))
  const context: TransferContext = {
    client: openServer(rpcUrl),
    environment,
    network: networkOf(environment),
    now,
    sponsors: new Map(keypairs.map((keypair) => [keypair.publicKey(), keypair])),
  }
  const { network, sponsors } = context
  return {
    sponsors: [...sponsors.keys()],
    usdcOf: (wallet) => readStellarUsdc(context, wallet),
    checkRequest: checkTransferRequest,
    prepare: (request) => prepareStellarTransfer(context, request),
    check: (transaction) => void parseTransaction(transaction, network),
    isPrepared: (transaction, facts) =>
      isPreparedTransaction(transaction, parseFacts(facts).transaction, network),
    explain: (transaction, facts) =>
      inspectTransfer(context, transaction, parseFacts(facts))
        .findings.filter(({ severity, code }) => severity === 'danger' && code !== 'EXPIRED')
        .map(({ code, message, field }) => ({ code, message, field })),
    settle: (transfer) => settleTransfer(context, transfer),
    resume: (transfer) => resumeTransfer(context, transfer),
  }
}
