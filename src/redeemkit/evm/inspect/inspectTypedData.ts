import { attempt } from '../../core/attempt.ts'
import { type Finding, finding } from '../../core/finding/finding.ts'
import { createInspection, refusedInspection } from '../../core/inspection/createInspection.ts'
import type { Inspection, InspectionDigests } from '../../core/inspection/inspection.ts'
import {
  addressValue,
  chainValue,
  dangersOf,
  findingSentence,
  joinSentences,
  kindValue,
  line,
  refusal,
  sentence,
  sentenceValue,
  textValue,
  titleOf,
} from '../../core/inspection/values.ts'
import { checkAddress } from '../checkAddress.ts'
import { cancelCreditPermitTypes } from '../creditPermit/cancelCreditPermit.ts'
import { creditPermitTypes, readPermit } from '../creditPermit/creditPermit.ts'
import {
  domainFindings,
  type inspectCreditPermit,
  judgeCreditPermit,
  walletFindings,
} from '../creditPermit/inspectCreditPermit.ts'
import type { ReadContext } from '../creditPermit/inspectOptions.ts'
import { pinFor } from '../creditPermit/pinFor.ts'
import { originFindings, readPurchase } from '../creditPermit/purchase.ts'
import { accountFindings, quote } from '../findingTexts.ts'
import { readPlainData } from '../plainData.ts'
import { layoutProblem, parseTypedData, readTypedData, UnknownTypedDataError } from '../readTypedData.ts'
import { type TypedDataDomain, typedDataDigests } from '../typedData.ts'
import { cancelUsdcAuthorizationTypes } from '../usdcAuthorization/cancelUsdcAuthorization.ts'
import {
  type inspectUsdcAuthorization,
  judgeUsdcAuthorization,
  usdcDomainFindings,
} from '../usdcAuthorization/inspectUsdcAuthorization.ts'
import {
  checkAuthorizationType,
  readAuthorization,
  usdcAuthorizationTypes,
} from '../usdcAuthorization/usdcAuthorization.ts'
import { checkHex, checkRecord, InvalidTextError, sameHex } from '../values.ts'
import { isAddress, linesOf, type OtherTypedData, readOtherTypedData } from './otherTypedData.ts'
import { orderSentence } from './seaportOrder.ts'
import { describeSignedCall } from './signedCall.ts'
import { judgeNftPermit, judgeTokenPermit, readTokenPermit } from './tokenPermit.ts'
import { namedAddress, walletChainFindings } from './tokenTexts.ts'

/** The layouts of redeemkit's own typed data, by primary type. */
const layouts = {
  CreditsAuthorization: creditPermitTypes.CreditsAuthorization,
  CancelCreditsAuthorization: cancelCreditPermitTypes.CancelCreditsAuthorization,
  TransferWithAuthorization: usdcAuthorizationTypes.TransferWithAuthorization.TransferWithAuthorization,
  ReceiveWithAuthorization: usdcAuthorizationTypes.ReceiveWithAuthorization.ReceiveWithAuthorization,
  CancelAuthorization: cancelUsdcAuthorizationTypes.CancelAuthorization,
} as const

/** `data` is the typed data as JSON text or object, `asked` the account that the request names. */
export function inspectTypedData(
  data: unknown,
  asked: unknown,
  context: ReadContext,
): Inspection<inspectTypedData.Details> {
  const record = checkRecord(typeof data === 'string' ? readTypedDataText(data) : data, 'message')
  if (typeof record.primaryType !== 'string') throw notText('primaryType')
  let read: ReturnType<typeof readTypedData>
  try {
    read = readTypedData(record, layouts, { hex: true })
  } catch (error) {
    if (error instanceof UnknownTypedDataError) return inspectOther(record, error, asked, context)
    throw error
  }
  const { domain, primaryType, message } = read
  const { address } = context
  const requestFindings = (signer: string) => [
    ...ownAccountFindings(domain.verifyingContract, asked, context),
    ...accountFindings(asked, { signer, address }),
  ]
  if (primaryType === 'CreditsAuthorization') {
    const permit = readPermit(message)
    return judgeCreditPermit({ domain, permit }, context, requestFindings(permit.customerWallet))
  }
  if (primaryType === 'CancelCreditsAuthorization' || primaryType === 'CancelAuthorization')
    return inspectCancellation(read, requestFindings, context)
  const authorization = readAuthorization(message)
  return judgeUsdcAuthorization(
    { domain, type: checkAuthorizationType(primaryType), authorization },
    context,
    requestFindings(authorization.from),
  )
}

export declare namespace inspectTypedData {
  type Details =
    | inspectCreditPermit.Details
    | inspectUsdcAuthorization.Details
    | { domain: TypedDataDomain; message: Readonly<Record<string, unknown>> }
    | { domain: OtherTypedData['domain']; message: Readonly<Record<string, unknown>> }
    | { fields: readonly string[] }
    | undefined
}

export const notText = (field: string) =>
  new InvalidTextError(`Malformed request: \`${field}\` must be text.`, { field })

/** Parses typed data from text. `JSON.parse` returns plain data, so only large text and a possible key `__proto__` need a check. */
function readTypedDataText(text: string): unknown {
  const value = parseTypedData(text)
  return text.length > 10_000 || /__proto__|\\u/.test(text) ? readPlainData(value, 'message') : value
}

const names: Readonly<Record<keyof typeof layouts, string>> = {
  CreditsAuthorization: 'credit permit',
  CancelCreditsAuthorization: 'cancellation of a credit permit',
  TransferWithAuthorization: 'USDC authorization',
  ReceiveWithAuthorization: 'USDC authorization',
  CancelAuthorization: 'cancellation of a USDC authorization',
}

function inspectOther(
  record: Record<string, unknown>,
  error: UnknownTypedDataError,
  asked: unknown,
  context: ReadContext,
): Inspection<inspectTypedData.Details> {
  const primaryType = String(record.primaryType)
  const details = { fields: error.fields }
  if (primaryType === 'EIP712Domain' || Object.hasOwn(layouts, primaryType)) {
    const name = primaryType as keyof typeof layouts // if it is not a key of `layouts`, `names` has no entry for it
    const message =
      names[name] === undefined
        ? 'The typed data has a domain, but no message.'
        : `This is not a valid ${names[name]}: ${layoutProblem(record, primaryType, layouts[name])}.`
    return refusedInspection(
      [
        finding('danger', 'UNKNOWN_TYPED_DATA', message, {
          field: 'types',
          fix: error.fix ?? 'Do not sign it.',
        }),
        ...accountFindings(asked, context),
      ],
      details,
    )
  }
  const data = readOtherTypedData(record)
  const permit = readTokenPermit(data)
  const judged =
    permit === undefined ? judgeNftPermit(data, context) : judgeTokenPermit(permit, data, context)
  const { name, chainId, verifyingContract } = data.domain
  const shownChain = chainId ?? saltChain(data.domainValues.salt)
  const call = describeSignedCall(data, { chainId, context })
  const findings = [
    ...(judged?.findings ?? [
      finding(
        'warning',
        'UNKNOWN_TYPED_DATA',
        `The type ${quote(primaryType)} of the typed data is unknown.`,
        { field: 'types', fix: 'Sign it only if you know what it does.' },
      ),
    ]),
    ...(call?.findings ?? []),
    ...walletChainFindings(chainId, context, 'domain.chainId'),
    ...riskFindings(data, asked, context),
    ...accountFindings(asked, { signer: permit?.owner, address: context.address }),
  ]
  const unknown = sentence(name === undefined ? 'unknown.typedData' : 'unknown.typedDataFor', {
    type: textValue(quote(primaryType)),
    name: textValue(quote(name ?? '')),
  })
  // unknown fields could change the effect of a call, so the title of a call that takes assets also says that the type is unknown
  const takes = call !== undefined && (call.moves.length > 0 || call.grants.length > 0)
  const own =
    judged?.title ??
    orderSentence(data, { chainId, context }) ??
    (call?.title.key === 'call.delegate' ? call.title : joinSentences(unknown, takes ? [call.title] : []))
  // an approval's sentence is more specific than its finding
  const sentences = dangersOf(findings).map((one) =>
    one.code === 'UNLIMITED_APPROVAL' ? (call?.title ?? own) : findingSentence(one),
  )
  const { title, lines } = refusal(sentences.length > 0 ? sentences : [own])
  return createInspection({
    kind: judged === undefined ? 'unknown' : 'tokenPermit',
    title,
    lines: [
      ...lines,
      ...(verifyingContract === undefined
        ? []
        : [line('contract', namedAddress(verifyingContract, { chainId, context }))]),
      line('chain', shownChain === undefined ? sentenceValue(sentence('chain.any')) : chainValue(shownChain)),
      ...(call?.lines ?? []),
      ...(judged?.lines ?? linesOf(data)),
    ],
    findings,
    moves: call?.moves ?? [],
    grants: judged?.grants ?? call?.grants ?? [],
    digests: () => digestsOf({ ...record, domain: data.domainValues, message: data.message }),
    details: judged === undefined ? details : { domain: data.domain, message: data.message },
  })
}

/** Returns the chain that a domain names in its salt, as bridged tokens of Polygon do; `undefined` for any other salt. */
function saltChain(salt: unknown): number | undefined {
  const [, digits = '0'] = (typeof salt === 'string' && /^0x0{51}([\da-f]{13})$/i.exec(salt)) || []
  return Number(`0x${digits}`) || undefined
}

function digestsOf(record: Record<string, unknown>): InspectionDigests {
  return attempt(() => typedDataDigests(record as Parameters<typeof typedDataDigests>[0])) ?? {} // `typedDataDigests` throws for invalid values
}

function riskFindings(
  { primaryType, message, hasDomain, domain }: OtherTypedData,
  asked: unknown,
  context: ReadContext,
): Finding[] {
  const findings: Finding[] = []
  const fix = 'Do not sign it.'
  if (primaryType === 'Delegation') {
    const { delegate, delegatee } = message
    const who = isAddress(delegate) ? delegate : delegatee
    findings.push(
      finding(
        'danger',
        'ACCOUNT_DELEGATION',
        `The request lets ${isAddress(who) ? who : 'another account'} ${isAddress(delegate) ? 'act' : 'act or vote'} for your account.`,
        { field: 'primaryType', fix },
      ),
    )
  }
  if (!hasDomain)
    findings.push(
      finding(
        'danger',
        'MISSING_DOMAIN',
        'The typed data does not declare its domain (`EIP712Domain`), so the signature could be used anywhere.',
        { field: 'types', fix },
      ),
    )
  return [...findings, ...ownAccountFindings(domain.verifyingContract, asked, context)]
}

/** Returns a finding if the verifying contract is the account itself: the account's code could accept the signature for any action. */
function ownAccountFindings(
  contract: string | undefined,
  asked: unknown,
  { address }: ReadContext,
): Finding[] {
  const isOwn = [address, asked].some((one) => isAddress(one) && sameHex(one, contract))
  if (!isOwn) return []
  return [
    finding('danger', 'OWN_ACCOUNT', 'The contract is your own account, which the signature could control.', {
      field: 'domain.verifyingContract',
      fix: 'Do not sign it.',
    }),
  ]
}

function inspectCancellation(
  { domain, primaryType, message }: ReturnType<typeof readTypedData>,
  requestFindings: (signer: string) => Finding[],
  context: ReadContext,
): Inspection<inspectTypedData.Details> {
  const isCredits = primaryType !== 'CancelAuthorization'
  const walletField = isCredits ? 'customerWallet' : 'authorizer'
  const wallet = checkAddress(message[walletField], `message.${walletField}`)
  const nonce = checkHex(message.nonce, 'message.nonce', { bytes: 32 })
  const terms = pinFor(context, { chainId: domain.chainId, contract: domain.verifyingContract })
  const { purchase, findings: intentFindings } = readPurchase(terms, {
    chainId: domain.chainId,
    wallet,
    nonce,
  })
  const findings = [
    ...(isCredits
      ? domainFindings(domain, terms)
      : usdcDomainFindings(domain, terms, { isRedeem: purchase !== undefined })),
    ...intentFindings,
    // if the page disclosed a purchase, it may cancel only the permit of that purchase
    ...(purchase === undefined || terms.pin?.intentBound === false || sameHex(purchase.nonce, nonce)
      ? []
      : [
          finding('danger', 'WRONG_PURCHASE', 'The cancellation is not for the purchase on this page.', {
            field: 'message.nonce',
            fix: 'Do not sign it.',
          }),
        ]),
    // another finding covers the unpinned contract
    ...(isCredits && terms.pin === undefined ? [] : originFindings(terms)),
    ...walletFindings(wallet, terms, `message.${walletField}`),
    ...requestFindings(wallet),
  ]
  const kind = isCredits ? 'creditPermitCancel' : 'usdcAuthorizationCancel'
  const values = { [walletField]: wallet, nonce }
  const { verifyingContract: contract, chainId } = domain
  const { title, lines } = titleOf(findings, sentence(isCredits ? 'cancel.permit' : 'cancel.usdc'))
  return createInspection({
    kind,
    title,
    lines: [
      ...lines,
      line('request', kindValue(kind)),
      line('contract', namedAddress(contract, { chainId, context })),
      line('chain', chainValue(chainId)),
      line('account', addressValue(wallet)),
      line('nonce', textValue(nonce)),
    ],
    findings,
    digests: () =>
      typedDataDigests({
        domain,
        types: isCredits ? cancelCreditPermitTypes : cancelUsdcAuthorizationTypes,
        primaryType,
        message: values,
      }),
    details: { domain, message: values },
  })
}
