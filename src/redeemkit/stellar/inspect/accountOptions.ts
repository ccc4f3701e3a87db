import type { Operation } from '@stellar/stellar-sdk'
import { showText } from '../../core/errors/showValue.ts'
import { finding } from '../../core/finding/finding.ts'
import type { Effect } from '../../core/inspection/effect.ts'
import type { InspectionValue } from '../../core/inspection/inspection.ts'
import { fieldLine, line, textValue } from '../../core/inspection/values.ts'
import { hexOf } from '../values.ts'
import { accountValue, isOwn, ownerValue, type Place, stellarEffect } from './stellarValues.ts'

/** Describes a change of an account's options. Signers and weights decide who controls the account. */
export function describeOptions(operation: Operation.SetOptions, source: string, place: Place): Effect[] {
  const { homeDomain, inflationDest } = operation
  const account = ownerValue(source, place)
  const isHarmless = place.harmless?.includes(source) === true && !isOwn(source, place)
  const linesOf = (...names: (keyof Operation.SetOptions)[]) =>
    names
      .filter((name) => operation[name] !== undefined)
      .map((name) => fieldLine(name, textValue(`${operation[name]}`)))
  const effects = signerEffects(operation, account, isHarmless, place)
  const weights = linesOf('masterWeight', 'lowThreshold', 'medThreshold', 'highThreshold')
  const more = { lines: weights, findings: [controlFinding(!isHarmless)] }
  const key = operation.masterWeight === 0 ? 'account.noKey' : 'account.options'
  if (weights.length > 0) effects.push(stellarEffect(key, { account }, more))
  if (homeDomain !== undefined)
    effects.push(stellarEffect('account.domain', { account, text: textValue(showText(`${homeDomain}`)) }))
  const flags = linesOf('setFlags', 'clearFlags')
  if (flags.length > 0) effects.push(stellarEffect('account.flags', { account }, { lines: flags }))
  if (inflationDest !== undefined)
    effects.push(stellarEffect('account.inflation', { account, to: accountValue(inflationDest, place) }))
  return effects.length > 0 ? effects : [stellarEffect('account.unchanged', { account })]
}

const controlFinding = (isLoss: boolean) =>
  finding(
    isLoss ? 'danger' : 'warning',
    'AUTHORITY_CHANGE',
    'The transaction changes who controls the account.',
    {
      field: 'operation.setOptions',
      fix: isLoss ? 'Do not sign it.' : 'Sign it only if you want this change.',
    },
  )

function signerEffects(
  { signer }: Operation.SetOptions,
  account: InspectionValue,
  isHarmless: boolean,
  place: Place,
): Effect[] {
  if (signer === undefined) return []
  // The SDK has a separate class for each kind of signer.
  const { ed25519PublicKey, sha256Hash, preAuthTx, ed25519SignedPayload, weight } = signer as Partial<
    Record<'ed25519PublicKey' | 'ed25519SignedPayload', string> &
      Record<'sha256Hash' | 'preAuthTx', Uint8Array>
  > & { weight?: number | string }
  const key = ed25519PublicKey ?? ed25519SignedPayload
  const owner = accountValue(key ?? hexOf(sha256Hash ?? preAuthTx ?? new Uint8Array()), place)
  const added =
    key !== undefined
      ? 'account.signer'
      : preAuthTx === undefined
        ? 'account.hashSigner'
        : 'account.hiddenSigner'
  const isRemoved = Number(weight) === 0
  // The wallet's own key may already be a signer: adding it again may lower its weight.
  const isLoss = !isHarmless && (!isRemoved || (key !== undefined && isOwn(key, place)))
  const values = { account, owner }
  return [
    stellarEffect(isRemoved ? 'account.noSigner' : added, values, {
      lines: [line('signer', owner), fieldLine('weight', textValue(`${weight}`))],
      findings: [controlFinding(isLoss)],
    }),
  ]
}
