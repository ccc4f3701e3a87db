import type { Transaction } from '@stellar/stellar-sdk'
import { attempt } from '../../core/attempt.ts'
import { claimsSignIn, clockSkewMs } from '../../core/authMessage.ts'
import { unixSeconds } from '../../core/clock.ts'
import { BaseError } from '../../core/errors/baseError.ts'
import { InvalidOptionError } from '../../core/errors/inputErrors.ts'
import { showText } from '../../core/errors/showValue.ts'
import { finding } from '../../core/finding/finding.ts'
import type { Inspection, InspectionLine, InspectionSentence } from '../../core/inspection/inspection.ts'
import {
  judgeText,
  otherAccount,
  otherSite,
  shownText,
  signInLines,
  signInSentence,
} from '../../core/inspection/judgeText.ts'
import { siteFindings, siteOf, subdomainFinding } from '../../core/inspection/signInText.ts'
import { addressValue, line, textValue } from '../../core/inspection/values.ts'
import { checkChallenge } from '../authMessage/checkChallenge.ts'
import { type AuthMessage, parseAuthMessage } from '../authMessage/parseAuthMessage.ts'
import { isSignatureOf } from '../envelope/envelope.ts'
import { baseAddress } from '../values.ts'
import { addDanger, type InspectionContext } from './context.ts'
import { stellarSentence } from './stellarValues.ts'

type SignIn = Pick<Inspection, 'kind'> & { sentences: InspectionSentence[]; lines: InspectionLine[] }

/** `message` holds the fields if the text is a complete sign-in of the service. */
export function inspectMessage(
  message: string,
  { user, network, origin, now, findings }: InspectionContext,
): SignIn & { message: AuthMessage | undefined } {
  if (typeof message !== 'string')
    throw new InvalidOptionError('The message is not a string.', {
      field: 'message',
      fix: 'Pass the text that the wallet is asked to sign.',
    })
  const parsed = attempt(() => parseAuthMessage(message))
  const judged = judgeText(message, {
    blockchain: 'Stellar',
    address: user,
    networks: [network.name, `stellar:${network.name}`],
    origin,
    now,
    isStrict: parsed !== undefined,
  })
  findings.push(...judged.findings)
  const { signIn } = judged
  if (signIn !== undefined)
    return {
      kind: 'signIn',
      sentences: [signInSentence('signIn', signIn)],
      lines: signInLines(signIn, unixSeconds(now)),
      message: parsed,
    }
  return {
    kind: claimsSignIn(message) ? 'signIn' : 'text',
    sentences: [stellarSentence('text', { text: shownText(message, 80) })],
    lines: [line('text', shownText(message))],
    message: undefined,
  }
}

/** Inspects a transaction with sequence 0: a sign-in that can never be included. */
export function inspectChallenge(
  transactionXdr: string,
  transaction: Transaction,
  context: InspectionContext,
): SignIn {
  const { origin, user: address } = context
  const { operations, memo } = transaction
  const [first] = operations
  const site = first?.type === 'manageData' ? /^(.*) auth$/.exec(first.name)?.[1] : undefined
  const page = origin === undefined ? (site ?? '') : siteOf(origin)
  // the home domain is often the parent of the application's host
  const subdomain = site === undefined ? undefined : subdomainFinding(`https://${page}`, site)
  const domains = subdomain === undefined ? [page] : [page, site ?? '']
  if (subdomain !== undefined) context.findings.push(subdomain)
  try {
    checkChallenge(transactionXdr, { ...context, address, domains })
  } catch (error) {
    if (site !== undefined && !domains.includes(site))
      addDanger(context, 'SIGN_IN', otherSite(site, page), 'transaction.operations[0].name')
    else addRefusal(context, error, { first, isHarmless: isChallenge(transaction, domains, context) })
  }
  context.findings.push(...siteFindings(showHost(site ?? ''), { origin, urls: [] }))
  const client = operations.find((operation) => 'name' in operation && operation.name === 'client_domain')
  const through = client?.type === 'manageData' ? client.value?.toString() : undefined
  const shown = textValue(showHost(site ?? ''))
  return {
    kind: 'signIn',
    sentences: [stellarSentence('signIn.challenge', { site: shown, account: addressValue(address) })],
    lines: [
      line('site', shown),
      ...(through === undefined ? [] : [line('through', textValue(showHost(through)))]),
      ...(memo.type === 'id' ? [line('user', textValue(`${memo.value}`))] : []),
      ...(/^M/.test(first?.source ?? '') ? [line('user', addressValue(`${first?.source}`))] : []),
    ],
  }
}

/** Quotes a value that is not a host, as untrusted text. */
const showHost = (text: string) => (/^[\w.:-]+$/.test(text) ? text : showText(text))

/**
 * Whether a transaction with sequence 0 signs in to one of the hosts by SEP-10. Its other content does not matter,
 * because the transaction can never be included: other services name another host for their server, the wallet's
 * application, or further data.
 */
function isChallenge(
  transaction: Transaction,
  domains: readonly string[],
  { user, now }: InspectionContext,
): boolean {
  const { operations, source, signatures, timeBounds } = transaction
  const [first] = operations
  const seconds = Math.floor(now() / 1000)
  const { minTime = '0', maxTime = '0' } = timeBounds ?? {}
  const digest = transaction.hash()
  return (
    operations.every(({ type }) => type === 'manageData') &&
    first?.type === 'manageData' &&
    [first.source, baseAddress(first.source ?? '')].includes(user) && // a muxed account is a user of the same account
    domains.some((domain) => first.name === `${domain} auth`) &&
    source !== baseAddress(user) &&
    signatures.some((signature) => isSignatureOf(signature, source, digest)) &&
    Number(minTime) <= seconds + clockSkewMs / 1000 &&
    Number(maxTime) >= seconds
  )
}

/** Converts the error of a check into a finding for the user, because the error's own message is for developers. */
function addRefusal(
  context: InspectionContext,
  error: unknown,
  { first, isHarmless }: { first: Transaction['operations'][number] | undefined; isHarmless: boolean },
): void {
  if (!(error instanceof BaseError)) throw error
  const { field = '' } = error
  const source = first?.source
  const sentences: Readonly<Record<string, string | undefined>> = {
    'transaction.operations[0].source': source && otherAccount(source, context.user),
    'transaction.timeBounds': 'The sign-in has expired, is not valid yet, or is valid for too long.',
    'transaction.signatures': 'The signatures of a sign-in on this network are missing.',
  }
  const text = /operations\[\d+\]$/.test(field) ? 'The transaction does more than sign in.' : sentences[field]
  // The SDK may read a different name in operation 0 as the expected name.
  if (!isHarmless || /operations\[0\](?!\.source)/.test(field))
    addDanger(context, 'SIGN_IN', text ?? 'The transaction is not a valid sign-in.', field)
  else
    context.findings.push(
      finding('warning', 'SIGN_IN', 'The sign-in has parts that were not checked.', {
        field,
        fix: 'Sign it only if you trust the site that asks.',
      }),
    )
}
