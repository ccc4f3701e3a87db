/** @jsxImportSource hono/jsx */

import type { Finding, Verdict } from '../../../redeemkit/core/finding/finding.ts'
import {
  Account,
  Foreign,
  Id,
  Panel,
  Rows,
  State,
  Time,
  toneOf,
  Usdc,
  type View,
  type ViewContext,
} from './parts.tsx'

/** A row of `GET /sandbox/redeems` (PROTOCOL.md 2.10). */
export type ListedRedeem = {
  blockchain: string
  wallet: string
  nonce: string
  shape: string
  target?: string
  selector?: string
  status: string
  amount: string
  usdcAmount: string
  gasFee: string
  createdAt: string
}

export const redeems: View = {
  path: 'redeems',
  name: 'Redeems',
  draw: async ({ ask, accounts, merchantId }) => {
    const { redeems: found } = await ask<{ redeems: ListedRedeem[] }>('/sandbox/redeems?limit=100')
    return (
      <Panel id="list" title="Newest first">
        <Rows
          caption={found.length < 100 ? `${found.length} redeems` : 'The last 100 redeems'}
          columns={[
            'When',
            'Chain',
            'Customer',
            'Type',
            { name: 'Calls', is: 'wider' },
            { name: 'Amount', is: 'right' },
            { name: 'USDC part', is: 'right' },
            { name: 'Gas fee', is: 'right' },
            'State',
            'Report',
          ]}
          empty={noRedeems}
          rows={found.map((redeem) => [
            <Time of={redeem.createdAt} />,
            redeem.blockchain,
            <Account of={redeem.wallet} accounts={accounts} />,
            redeem.shape,
            <RedeemTarget redeem={redeem} accounts={accounts} />,
            <Usdc of={redeem.amount} />,
            <Usdc of={redeem.usdcAmount} />,
            <Usdc of={redeem.gasFee} />,
            <State of={redeem.status} />,
            <ReportLink redeem={redeem} merchantId={merchantId} />,
          ])}
        />
      </Panel>
    )
  },
}

export const noRedeems = (
  <>
    There are no redeems yet. Run <code>npx redeemkit redeem --type token --to bob --amount 10.00</code> to
    make one.
  </>
)

export function RedeemTarget(options: { redeem: ListedRedeem; accounts: ViewContext['accounts'] }) {
  const { redeem, accounts } = options
  const { target, selector } = redeem
  if (target === undefined) return null
  if (selector === undefined) return <Account of={target} accounts={accounts} />
  return (
    <span class="number">
      <code>{selector}</code> at <Id of={target} />
    </span>
  )
}

export function ReportLink({ redeem, merchantId }: { redeem: ListedRedeem; merchantId: string }) {
  const { wallet, nonce } = redeem
  return (
    <a href={`/dashboard/redeems/${wallet}/${nonce}?merchant=${encodeURIComponent(merchantId)}`}>
      Report<span class="unseen"> of {nonce}</span>
    </a>
  )
}

/** The fields of `GET /sandbox/redeems/{wallet}/{nonce}/report` that this page shows (PROTOCOL.md 2.10). */
type Report = {
  verdict: Verdict
  findings: Finding[]
  redeem: {
    shape: string
    wallet: string
    target: string
    selector?: string
    signature?: string
    amount: string
    usdcAmount: string
    blockNumber: string
    hash?: string
  }
  execution: { succeeded: boolean; reason?: string; fix?: string }
  text: string
}

export const redeemReport: View = {
  path: 'redeems/:wallet/:nonce',
  name: undefined,
  title: 'Report of a redeem',
  within: 'redeems',
  draw: async ({ ask, params, accounts, merchantId }) => {
    const path = `/sandbox/redeems/${encodeURIComponent(params.wallet ?? '')}/${encodeURIComponent(params.nonce ?? '')}/report`
    const { verdict, findings, redeem, execution, text } = await ask<Report>(`${path}?columns=110`)
    const { hash, blockNumber, wallet, shape, amount, usdcAmount, target } = redeem
    const call = redeem.signature ?? redeem.selector
    return (
      // The report of a mined redeem does not change.
      <div data-final={hash === undefined ? undefined : ''}>
        <p>
          <a href={`/dashboard/redeems?merchant=${encodeURIComponent(merchantId)}`}>All redeems</a>
        </p>
        <div class={`banner ${toneOf(verdict)}`}>
          Verdict: <State of={verdict} />{' '}
          {endOf(verdict, { succeeded: execution.succeeded, isMined: hash !== undefined })}
          {execution.reason !== undefined && (
            <>
              {' '}
              <Foreign of={cut(execution.reason)} />
            </>
          )}
        </div>
        <Panel id="facts" title="Request">
          <dl class="facts">
            <dt>Customer</dt>
            <dd>
              <Account of={wallet} accounts={accounts} /> <code>{wallet}</code>
            </dd>
            <dt>Amount</dt>
            <dd>
              <Usdc of={amount} />
              {usdcAmount !== '0' && (
                <>
                  , including <Usdc of={usdcAmount} /> in USDC
                </>
              )}
            </dd>
            <dt>{call === undefined ? 'Paid to' : 'Call'}</dt>
            <dd>
              {call !== undefined && (
                <>
                  <code>
                    <Foreign of={call} />
                  </code>{' '}
                  at{' '}
                </>
              )}
              <code>{target}</code>, as {shape}
            </dd>
            <dt>{hash === undefined ? 'Simulated on' : 'Transaction'}</dt>
            <dd>
              {hash !== undefined && (
                <>
                  <code>{hash}</code>, in{' '}
                </>
              )}
              block {blockNumber}
              {hash === undefined && ', because it is not mined yet'}
            </dd>
          </dl>
          {findings.length > 0 && (
            <>
              <h3>Findings</h3>
              <ul class="findings">
                {findings.map(({ severity, code, message, fix }) => (
                  <li class={severity}>
                    <code>{code}</code> <Foreign of={cut(message)} />
                    {fix !== undefined && (
                      <div>
                        <strong>What to do:</strong> <Foreign of={cut(fix)} />
                      </div>
                    )}
                  </li>
                ))}
              </ul>
            </>
          )}
        </Panel>
        <Panel id="report" title="Report and call tree">
          <section aria-label="Text of the report" tabindex={0} class="scrolls">
            <pre class="wide">
              {text.split('\n').map((line) => (
                <>
                  <span class={`line ${kindOf(line)}`}>{line}</span>
                  {'\n'}
                </>
              ))}
            </pre>
          </section>
        </Panel>
      </div>
    )
  },
}

function endOf(verdict: Verdict, { succeeded, isMined }: { succeeded: boolean; isMined: boolean }): string {
  if (verdict === 'refuse' && succeeded)
    return `It ${isMined ? 'was' : 'would be'} executed, but someone can lose money or tokens.`
  if (isMined) return succeeded ? 'It succeeded.' : 'It was mined and reverted.'
  return succeeded ? 'It would succeed.' : 'It would fail.'
}

/** Returns the style of a report line by the mark that the line begins with. Lines of the call tree have marks too. */
function kindOf(line: string): string {
  if (/^[│├└─ ]*✗|✗/.test(line)) return 'bad'
  if (line.startsWith('✓')) return 'good'
  if (/^[!?] /.test(line)) return 'open'
  return /^(Calls,|Addresses$)/.test(line) ? 'title' : ''
}

/** The report's JSON contains the full text. */
function cut(text: string): string {
  return text.length <= 1_500 ? text : `${text.slice(0, 1_500)}…`
}
