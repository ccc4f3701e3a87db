import type { Operation, Transaction, xdr } from '@stellar/stellar-sdk'
import { utf8Text } from '../../core/attempt.ts'
import { showText } from '../../core/errors/showValue.ts'
import { type Finding, finding } from '../../core/finding/finding.ts'
import type { Effect } from '../../core/inspection/effect.ts'
import type { InspectionValue } from '../../core/inspection/inspection.ts'
import { addressValue, fieldLine, line, textValue } from '../../core/inspection/values.ts'
import { parseCall } from '../envelope/authEntry.ts'
import { Asset } from '../sdk.ts'
import { hexOf, stroopsOf } from '../values.ts'
import { describeOptions } from './accountOptions.ts'
import { describeCalls } from './describeCall.ts'
import {
  accountValue,
  assetAmount,
  assetMove,
  isKnownAsset,
  isOwn,
  ownerValue,
  type Place,
  stellarEffect,
} from './stellarValues.ts'

export function describeOperation(
  operation: Transaction['operations'][number],
  raw: xdr.Operation,
  { transactionSource, ...place }: Place & { transactionSource: string },
): Effect[] {
  const { source = transactionSource } = operation
  if (operation.type === 'setOptions') return describeOptions(operation, source, place)
  if (operation.type === 'invokeHostFunction') return describeHostFunction(operation, place)
  const described = describeOne(operation, raw, source, place)
  const findings = [...described.findings, ...imitationFindings(operation, place)]
  return [{ ...described, findings, isUnknown: takesUnknown(operation, place) }]
}

/** Whether the asset that an operation takes is neither XLM nor USDC. */
function takesUnknown(operation: Transaction['operations'][number], place: Place): boolean {
  // An operation has at most one of these fields. In a revoked sponsorship, `asset` may be the id of a pool.
  const { sendAsset, selling, asset } = operation as { sendAsset?: Asset; selling?: Asset; asset?: unknown }
  const taken = sendAsset ?? selling ?? asset
  return taken instanceof Asset && !isKnownAsset(taken, place)
}

function describeOne(
  operation: Transaction['operations'][number],
  raw: xdr.Operation,
  source: string,
  place: Place,
): Effect {
  const account = ownerValue(source, place)
  const named = (key: string) => accountValue(key, place)
  const sends = (asset: Asset, amount: bigint, to: string, key: 'send' | 'account.fund') => {
    const values = { amount: assetAmount(asset, amount, place), to: named(to), from: named(source) }
    const isOut = isOwn(source, place)
    return stellarEffect(key === 'send' && !isOut ? 'sendFrom' : key, values, {
      lines: [
        ...(isOut ? [] : [line('payer', values.from)]),
        line('receiver', values.to),
        ...assetLine(asset),
      ],
      moves: [assetMove({ asset, amount, from: source, to }, place)],
    })
  }
  switch (operation.type) {
    case 'payment':
      return sends(operation.asset, stroopsOf(operation.amount), operation.destination, 'send')
    case 'createAccount': {
      const { startingBalance, destination } = operation
      return sends(Asset.native(), stroopsOf(startingBalance), destination, 'account.fund')
    }
    case 'pathPaymentStrictSend':
    case 'pathPaymentStrictReceive':
      return pathPayment(operation, source, place)
    case 'manageSellOffer':
    case 'manageBuyOffer':
    case 'createPassiveSellOffer':
      return offer(operation, raw, source, place)
    case 'changeTrust':
      return trust(operation, account, place)
    case 'allowTrust':
    case 'setTrustLineFlags': {
      const code =
        operation.type === 'allowTrust' ? showText(`${operation.assetCode}`) : operation.asset.getCode()
      const values = { account: named(operation.trustor), asset: textValue(code) }
      return stellarEffect('trust.change', values, { lines: [line('account', values.account)] })
    }
    case 'accountMerge':
      return merge(operation.destination, source, place)
    case 'manageData': {
      const values = { account, name: textValue(showText(operation.name)) }
      const { value } = operation
      if (value === undefined) return stellarEffect('data.remove', values)
      const text = utf8Text(value)
      const shown = textValue(text === undefined ? hexOf(value) : showText(text))
      return stellarEffect('data.set', values, { lines: [fieldLine('value', shown)] })
    }
    case 'bumpSequence':
      return bump(operation.bumpTo, account)
    case 'createClaimableBalance': {
      const { asset, claimants } = operation
      const amount = stroopsOf(operation.amount)
      const items = claimants.map(({ destination }) => named(destination))
      // If the payer is one of several claimants, another one can still take the balance, so name that one as the receiver.
      const other = claimants.find(({ destination }) => destination !== source) ?? claimants[0]
      const values = { amount: assetAmount(asset, amount, place), to: { type: 'list', items } } as const
      return stellarEffect('claimable.create', values, {
        lines: [...items.map((item) => line('receiver', item)), ...assetLine(asset)],
        moves: [assetMove({ asset, amount, from: source, to: other?.destination ?? '' }, place)],
      })
    }
    case 'claimClaimableBalance':
      return stellarEffect('claimable.claim', { account, id: addressValue(operation.balanceId) })
    case 'clawbackClaimableBalance':
      return stellarEffect('claimable.clawback', { id: addressValue(operation.balanceId) })
    case 'clawback': {
      const { asset, from } = operation
      const amount = stroopsOf(operation.amount)
      const values = { amount: assetAmount(asset, amount, place), from: named(from) }
      return stellarEffect('clawback', values, {
        lines: [line('payer', values.from), ...assetLine(asset)],
        moves: [assetMove({ asset, amount, from, to: source }, place)],
      })
    }
    case 'beginSponsoringFutureReserves': {
      const { sponsoredId } = operation
      const values = { account: named(source), to: ownerValue(sponsoredId, place) }
      return stellarEffect(isOwn(source, place) ? 'sponsor.begin' : 'sponsor.other', values, {
        lines: [line('payer', values.account), line('receiver', named(sponsoredId))],
        weight: 1,
      })
    }
    case 'endSponsoringFutureReserves':
      return stellarEffect('sponsor.end', {}, { weight: 1 })
    case 'liquidityPoolDeposit':
      return stellarEffect(
        'pool.deposit',
        {
          first: plainAmount(operation.maxAmountA),
          second: plainAmount(operation.maxAmountB),
          pool: addressValue(operation.liquidityPoolId),
        },
        // The operation does not name the assets, so it has no moves. With this weight, a small payment cannot hide it.
        { weight: 3 },
      )
    case 'liquidityPoolWithdraw':
      return stellarEffect('pool.withdraw', {
        first: plainAmount(operation.minAmountA),
        second: plainAmount(operation.minAmountB),
        pool: addressValue(operation.liquidityPoolId),
      })
    case 'extendFootprintTtl':
      return stellarEffect('ledger.extend')
    case 'restoreFootprint':
      return stellarEffect('ledger.restore')
    default:
      return other(operation, place)
  }
}

function other(operation: { type: string }, place: Place): Effect {
  const { type } = operation
  if (/^revoke/.test(type)) {
    // The SDK has a separate type for each kind of ledger entry. A claimable balance and a pool have no account.
    const { account, seller = account } = operation as { account?: string; seller?: string }
    const lines = seller === undefined ? [] : [line('account', accountValue(seller, place))]
    return stellarEffect('sponsor.revoke', {}, { lines })
  }
  const values = { name: textValue(type) }
  return stellarEffect('operation', values, {
    findings: [
      finding('warning', 'UNKNOWN_OPERATION', 'The transaction has an operation that cannot be decoded.', {
        field: 'operation.type',
        fix: 'Sign it only if you trust the site that asks.',
      }),
    ],
  })
}

/** Returns a number without an asset, in the language's format. */
const plainAmount = (amount: string): InspectionValue => ({
  type: 'amount',
  amount: stroopsOf(amount),
  decimals: 7,
  symbol: '',
})

const assetLine = (asset: Asset) => (asset.isNative() ? [] : [line('token', textValue(asset.toString()))])

function pathPayment(
  operation: Operation.PathPaymentStrictSend | Operation.PathPaymentStrictReceive,
  source: string,
  place: Place,
): Effect {
  const { sendAsset, destAsset, destination } = operation
  const isSend = operation.type === 'pathPaymentStrictSend'
  const sent = stroopsOf(isSend ? operation.sendAmount : operation.sendMax)
  const received = stroopsOf(isSend ? operation.destMin : operation.destAmount)
  const values = {
    amount: assetAmount(sendAsset, sent, place),
    received: assetAmount(destAsset, received, place),
    to: accountValue(destination, place),
  }
  const key = destination === source ? 'swap' : 'path'
  return stellarEffect(`${key}.${isSend ? 'send' : 'receive'}`, values, {
    lines: [line('receiver', values.to), ...assetLine(sendAsset), ...assetLine(destAsset)],
    moves: [
      assetMove({ asset: sendAsset, amount: sent, from: source, to: '' }, place),
      assetMove({ asset: destAsset, amount: received, from: '', to: destination }, place),
    ],
  })
}

type Offer = Operation.ManageSellOffer | Operation.ManageBuyOffer | Operation.CreatePassiveSellOffer

/** Returns the exact price as a fraction, because the SDK rounds prices. */
function priceOf(raw: xdr.Operation): readonly [bigint, bigint] {
  // Every kind of offer has its price in the same field.
  const price = (raw.body().value() as xdr.ManageSellOfferOp).price()
  return [BigInt(price.n()), BigInt(price.d())]
}

function offer(operation: Offer, raw: xdr.Operation, source: string, place: Place): Effect {
  const { selling, buying } = operation
  const [n, d] = priceOf(raw)
  const isBuy = operation.type === 'manageBuyOffer'
  const amount = stroopsOf(isBuy ? operation.buyAmount : operation.amount)
  const other = d === 0n ? 0n : (amount * n) / d
  const [sold, bought] = isBuy ? [other, amount] : [amount, other]
  const id = 'offerId' in operation ? `${operation.offerId}` : '0'
  const values = {
    id: textValue(id),
    amount: assetAmount(selling, sold, place),
    received: assetAmount(buying, bought, place),
  }
  const lines = [...assetLine(selling), ...assetLine(buying)]
  if (amount === 0n) return stellarEffect('offer.cancel', values, { lines })
  return stellarEffect(id === '0' ? 'offer' : 'offer.change', values, {
    lines,
    moves: [
      assetMove({ asset: selling, amount: sold, from: source, to: '' }, place),
      assetMove({ asset: buying, amount: bought, from: '', to: source }, place),
    ],
  })
}

function trust(
  { line: asset, limit }: Operation.ChangeTrust,
  account: InspectionValue,
  place: Place,
): Effect {
  const isRemoved = stroopsOf(limit) === 0n
  const lines = isRemoved ? [] : [line('limit', plainAmount(limit))]
  if (!('issuer' in asset))
    return stellarEffect(isRemoved ? 'trust.noPool' : 'trust.pool', { account }, { lines })
  const issuer = accountValue(asset.getIssuer(), place)
  const values = { account, asset: textValue(asset.getCode()), issuer }
  return stellarEffect(isRemoved ? 'trust.remove' : 'trust', values, {
    lines: [...assetLine(asset), ...lines],
  })
}

/** Describes an account merge, which transfers all XLM and removes the account. */
function merge(destination: string, source: string, place: Place): Effect {
  const to = accountValue(destination, place)
  const isLoss = !isOwn(destination, place) && place.known?.[destination] === undefined
  const values = { account: accountValue(source, place), to }
  return stellarEffect(isOwn(source, place) ? 'account.merge' : 'account.closeOther', values, {
    lines: [line('receiver', to)],
    findings: [
      finding(
        isLoss ? 'danger' : 'warning',
        'ACCOUNT_CLOSED',
        'The transaction closes an account and sends everything in it to another account.',
        {
          field: 'operation.accountMerge',
          fix: isLoss ? 'Do not sign it.' : 'Sign it only if you no longer need the account.',
        },
      ),
    ],
  })
}

/** An account with the highest possible sequence number cannot send another transaction. */
function bump(bumpTo: string, account: InspectionValue): Effect {
  if (BigInt(bumpTo) < 1n << 62n)
    return stellarEffect('account.sequence', { account, number: textValue(bumpTo) })
  const values = { account }
  return stellarEffect('account.stuck', values, {
    findings: [
      finding(
        'danger',
        'ACCOUNT_CLOSED',
        'After this operation, the account can no longer send a transaction.',
        { field: 'operation.bumpSequence', fix: 'Do not sign it.' },
      ),
    ],
  })
}

function describeHostFunction({ func }: Operation.InvokeHostFunction, place: Place): Effect[] {
  const { name } = func.switch()
  if (name === 'hostFunctionTypeInvokeContract') return describeCalls(parseCall(func.invokeContract()), place)
  return [stellarEffect(name === 'hostFunctionTypeUploadContractWasm' ? 'contract.upload' : 'create')]
}

/** Reports an asset that uses the name USDC or XLM. Any account can issue an asset with any name. */
function imitationFindings(operation: Transaction['operations'][number], place: Place): Finding[] {
  // `inspectTransaction` compares the asset of a payment.
  if (operation.type === 'payment') return []
  const assets = Object.values(operation).filter((value): value is Asset => value instanceof Asset)
  const imitated = assets.find(
    (asset) => /^(?:usdc|xlm)$/i.test(asset.getCode()) && !isKnownAsset(asset, place),
  )
  if (imitated === undefined) return []
  return [
    finding(
      'warning',
      'NOT_USDC',
      `The token ${imitated.getCode()} is not this network’s ${imitated.getCode()}.`,
      { field: 'asset', fix: 'Compare the issuer with the one that you expect.' },
    ),
  ]
}
