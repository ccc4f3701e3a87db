/** @jsxImportSource hono/jsx */
import type { Finding, Verdict } from '../../../../redeemkit/core/finding/finding.ts'
import { Account, Foreign, Panel, State, toneOf, Usdc } from '../parts.tsx'
import type { View } from './view.ts'

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
