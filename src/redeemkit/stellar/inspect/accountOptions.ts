import type { Operation } from '@stellar/stellar-sdk'
import { showText } from '../../core/errors/showText.ts'
import { finding } from '../../core/finding/finding.ts'
import { type Effect, effect } from '../../core/inspection/effect.ts'
import { line, textValue } from '../../core/inspection/values.ts'
import { hexOf } from '../values.ts'
import { accountValue, isOwn, ownerValue, type Place, stellarSentence } from './stellarValues.ts'

/** Describes each change in a `setOptions` operation. Signers and weights decide who controls the account. */
export function describeOptions(operation: Operation.SetOptions, source: string, place: Place): Effect[] {
  const { homeDomain, setFlags, clearFlags, inflationDest } = operation
  const account = ownerValue(source, place)
  const weights = ['masterWeight', 'lowThreshold', 'medThreshold', 'highThreshold'] as const
  const changed = weights.filter((name) => operation[name] !== undefined)
  const effects = [
    ...signerEffects(operation, source, place),
    ...(changed.length === 0
      ? []
      : [
          effect(stellarSentence('account.options', { account }), {
            lines: changed.map((name) => ({
              ...line('field', textValue(`${operation[name]}`)),
              field: name,
            })),
            findings: [controlFinding('danger')],
          }),
        ]),
    ...(homeDomain === undefined
      ? []
      : [effect(stellarSentence('account.domain', { account, text: textValue(showText(`${homeDomain}`)) }))]),
    ...(setFlags === undefined && clearFlags === undefined
      ? []
      : [
          effect(stellarSentence('account.flags', { account }), {
            lines: Object.entries({ setFlags, clearFlags }).flatMap(([field, flags]) =>
              flags === undefined ? [] : [{ ...line('field', textValue(`${flags}`)), field }],
            ),
          }),
        ]),
    ...(inflationDest === undefined
      ? []
      : [effect(stellarSentence('account.inflation', { account, to: accountValue(inflationDest, place) }))]),
  ]
  return effects.length > 0 ? effects : [effect(stellarSentence('account.unchanged', { account }))]
}

const controlFinding = (severity: 'warning' | 'danger') =>
  finding(severity, 'AUTHORITY_CHANGE', 'It changes who controls the account.', {
    field: 'operation.setOptions',
    fix: severity === 'danger' ? 'Do not sign it.' : 'Sign it only if you want this change.',
  })

function signerEffects({ signer }: Operation.SetOptions, source: string, place: Place): Effect[] {
  if (signer === undefined) return []
  // The SDK has a separate class for each kind of signer.
  const { ed25519PublicKey, sha256Hash, preAuthTx, ed25519SignedPayload, weight } = signer as Partial<
    Record<'ed25519PublicKey' | 'ed25519SignedPayload', string> &
      Record<'sha256Hash' | 'preAuthTx', Uint8Array>
  > & { weight?: number | string }
  const key = ed25519PublicKey ?? ed25519SignedPayload
  const account = ownerValue(source, place)
  const owner = accountValue(key ?? hexOf(sha256Hash ?? preAuthTx ?? new Uint8Array()), place)
  const lines = [line('signer', owner), { ...line('field', textValue(`${weight}`)), field: 'weight' }]
  if (Number(weight) === 0)
    return [
      effect(stellarSentence('account.noSigner', { account, owner }), {
        lines,
        findings: [controlFinding(key !== undefined && isOwn(key, place) ? 'danger' : 'warning')],
      }),
    ]
  const added =
    key !== undefined
      ? 'account.signer'
      : preAuthTx === undefined
        ? 'account.hashSigner'
        : 'account.hiddenSigner'
  return [effect(stellarSentence(added, { account, owner }), { lines, findings: [controlFinding('danger')] })]
}
