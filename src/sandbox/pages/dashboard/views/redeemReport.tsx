/** @jsxImportSource hono/jsx */
import type { Finding, Verdict } from '../../../../core/finding/finding.ts'
import { State } from '../parts.tsx'
import type { View } from './view.ts'

/** Of `GET /sandbox/redeems/{wallet}/{nonce}/report` what is drawn (PROTOCOL.md 2.10). */
type Report = { verdict: Verdict; findings: Finding[]; text: string }

/** What one redeem did, or would do, with its call tree. */
export const redeemReport: View = {
  path: 'redeems/:wallet/:nonce',
  name: undefined,
  draw: async ({ ask, params }) => {
    const path = `/sandbox/redeems/${encodeURIComponent(params.wallet ?? '')}/${encodeURIComponent(params.nonce ?? '')}/report`
    const { verdict, findings, text } = await ask<Report>(`${path}?columns=140`)
    return (
      <>
        <p>
          Verdict: <State of={verdict} />
        </p>
        {findings.length > 0 && (
          <ul>
            {findings.map(({ code, message, fix }) => (
              <li>
                <code>{code}</code>: {message} {fix}
              </li>
            ))}
          </ul>
        )}
        <h2 id="report">Report</h2>
        <section aria-labelledby="report" tabindex={0} class="scrolls">
          <pre class="wide">{text}</pre>
        </section>
      </>
    )
  },
}
