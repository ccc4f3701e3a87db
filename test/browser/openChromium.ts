import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/**
 * Starts the Chromium of this machine; without one the tests fail, because what they hold would go untested.
 *
 * @param options.args more arguments for it
 */
export async function openChromium(options: { args?: readonly string[] } = {}): Promise<Browser> {
  const executablePath = process.env.CHROMIUM_PATH ?? places.find((place) => existsSync(place))
  if (executablePath === undefined || !existsSync(executablePath))
    throw new Error(
      `There is no Chromium at ${executablePath ?? places.join(', ')}. Install it: apt-get update && apt-get install -y chromium. Or name one: CHROMIUM_PATH=…`,
    )
  return chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      ...(options.args ?? []),
    ],
  })
}
