import { useId } from 'react'
import type { FindingCode, Severity } from 'redeemkit'
import { formatInspection } from 'redeemkit/evm'
import { ptBrInspection } from 'redeemkit/languages'
import { tempoTokens } from 'redeemkit/tempo'
import type { Network, SignApproval } from '../messages.ts'
import { Icon } from './Icon.tsx'
import { Address, Note } from './parts.tsx'
import type { TextKey } from './texts/english.ts'
import { useText } from './useText.tsx'

type Inspection = SignApproval['inspection']

export function Inspected(props: {
  inspection: Inspection
  network: Network | undefined
  titleId?: string
  warning?: string | undefined
}) {
  const { inspection, network, titleId, warning } = props
  const { text } = useText()
  const { title, lines } = useWords(inspection)
  return (
    <>
      <h1 id={titleId}>{title}</h1>
      <Findings inspection={inspection} warning={warning} />
      <Effects inspection={inspection} network={network} />
      {lines.length > 0 && (
        <section aria-label={text('facts')}>
          <dl className="facts card">
            {lines.map(({ label, value }, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: labels repeat, and lines never move
              <div key={at}>
                <dt>{label}</dt>
                <dd>
                  <bdi>{value}</bdi>
                </dd>
              </div>
            ))}
          </dl>
        </section>
      )}
    </>
  )
}

const tones = { ok: 'good', caution: 'care', refuse: 'bad' } as const

function Findings(props: { inspection: Inspection; warning: string | undefined }) {
  const { inspection, warning } = props
  const verdict = inspection.verdict === 'ok' && warning !== undefined ? 'caution' : inspection.verdict
  const { text } = useText()
  const { findings } = useWords(inspection)
  const reasons = [
    ...(warning === undefined ? [] : [{ severity: 'warning' as const, message: warning }]),
    ...findings.filter(({ severity, message }) => severity !== 'info' && message !== warning),
  ]
  const facts = findings.filter(({ severity }) => severity === 'info')
  return (
    <>
      <Note tone={tones[verdict]}>
        <strong>{text(`verdict.${verdict}`)}</strong>
        <ul className="reasons">
          {reasons.map(({ severity, message }) => (
            <li key={message}>
              <span className="for-ears">{text(`severity.${severity}`)}: </span>
              {severity === 'danger' ? <b>{message}</b> : message}
            </li>
          ))}
        </ul>
        {verdict === 'refuse' && <p>{text('refuse.advice')}</p>}
      </Note>
      {facts.length > 0 && (
        <details className="disclosure">
          <summary>{text('checked', { count: facts.length })}</summary>
          <ul className="reasons small">
            {facts.map(({ message }) => (
              <li key={message}>{message}</li>
            ))}
          </ul>
        </details>
      )}
    </>
  )
}

function Effects(props: { inspection: Inspection; network: Network | undefined }) {
  const { moves, grants } = props.inspection
  const { text, time } = useText()
  const amountOf = useAmount(props.inspection, props.network)
  const named = props.inspection.lines.flatMap(({ value }) => (value.type === 'address' ? [value] : []))
  const nameOf = (address: string) =>
    named.find((one) => one.address.toLowerCase() === address.toLowerCase())?.name
  const id = useId()
  if (moves.length + grants.length === 0) return null
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className="for-ears">
        {text('effects')}
      </h2>
      <ul className="list">
        {moves.map((move, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: equal moves are possible, and none ever changes its place
          <li key={at} className="effect">
            <Icon name={move.direction === 'in' ? 'in' : 'out'} />
            <div>
              <strong>{text(`move.${move.direction}`, { amount: amountOf(move) })}</strong>
              <div className="quiet small">
                {move.direction !== 'out' && (
                  <>
                    {text('move.from')} <Address address={move.from} name={nameOf(move.from)} />{' '}
                  </>
                )}
                {move.direction !== 'in' && (
                  <>
                    {text('move.to')} <Address address={move.to} name={nameOf(move.to)} />
                  </>
                )}
              </div>
            </div>
          </li>
        ))}
        {grants.map((grant, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: as above
          <li key={at} className="effect">
            <Icon name="key" />
            <div>
              <strong>{text('grant', { amount: amountOf(grant) })}</strong>
              <div className="quiet small">
                {text('grant.by')} <Address address={grant.to} name={nameOf(grant.to)} />,{' '}
                {grant.until === undefined || grant.until > latestDate
                  ? text('grant.noEnd')
                  : text('grant.until', { time: time(Number(grant.until) * 1_000) })}
              </div>
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}

const tempoTokenOf = (asset: string) =>
  tempoTokens.find(({ address }) => address.toLowerCase() === asset.toLowerCase())

/** The end of the year 9999, in unix seconds. Later times are not dates. */
const latestDate = 253_402_300_799n

/** The toolkit knows the decimals of USDC, and of all tokens on Tempo, which have 6. */
function useAmount({ kind }: Inspection, network: Network | undefined) {
  const { text, usd, amount: decimal } = useText()
  return (value: { asset: string; amount: bigint | 'unlimited'; decimals: number | undefined }) => {
    const { asset, amount, decimals } = value
    const isCredits = kind === 'creditPermit'
    const known = network?.blockchain === 'tempo' ? (tempoTokenOf(asset)?.name ?? asset) : 'USDC'
    const token =
      asset === 'native' ? (network?.coin ?? text('coin')) : decimals === undefined ? undefined : known
    if (amount === 'unlimited') return text('amount.all', { token: token ?? asset })
    if (isCredits) return text('amount.credits', { amount: usd(amount) })
    if (decimals === undefined)
      return text(amount === 1n ? 'amount.rawOne' : 'amount.raw', { amount: String(amount), token: asset })
    return `${decimal(amount, decimals, token === 'USDC' ? 2 : 0)} ${token}`
  }
}

/** This wallet's texts of findings, for users. The texts of the toolkit are for developers. */
const own = {
  FEE_TOO_HIGH: 'finding.fee',
  NOT_COMPARED: 'finding.notCompared',
  UNPINNED_CONTRACT: 'finding.contract',
  UNPINNED_CREDIT_SEED: 'finding.balance',
  UNPINNED_MERCHANT: 'finding.merchant',
  UNPINNED_ORIGIN: 'finding.origin',
  UNPINNED_RECEIVER: 'finding.receiver',
  WRONG_PURCHASE: 'finding.purchase',
} as const satisfies Partial<Record<FindingCode, TextKey>>

type Words = Omit<formatInspection.ReturnType, 'findings'> & {
  findings: { severity: Severity; message: string }[]
}

/** Returns an inspection as text in the current language. Findings do not repeat the title. */
export function useWords(inspection: Inspection): Words {
  const { language, text } = useText()
  const words = formatInspection(inspection, language === 'pt-BR' ? { texts: ptBrInspection } : {})
  const findings = words.findings.map(({ severity, message }, at) => {
    const key = Object.entries(own).find(([code]) => code === inspection.findings[at]?.code)?.[1]
    return { severity, message: key === undefined ? message : text(key) }
  })
  const first = (one: (typeof findings)[number], at: number) =>
    one.message !== words.title && findings.findIndex(({ message }) => message === one.message) === at
  return { ...words, findings: findings.filter(first) }
}
