import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { toFunctionSelector } from 'viem'

export async function check({ path }) {
  copyFileSync(path, 'solution.test.mjs')
  const passes = (artifact) => {
    const env = { ...process.env, ARTIFACT: resolve(artifact) }
    const command = ['--no', '--', 'vitest', 'run', 'solution.test.mjs', '--testTimeout', '60000']
    const { status, stdout, stderr } = spawnSync('npx', command, { env, encoding: 'utf8' })
    return { passed: status === 0, output: stdout + stderr }
  }
  const good = passes('TicketShop.json')
  assert.ok(good.passed, good.output)
  for (const name of ['GenerousShop', 'SilentShop']) {
    const { passed, output } = passes(`${name}.json`)
    assert.ok(!passed, `${name} passes the tests`)
    assert.match(output, /Tests .*failed/, output)
  }
  // The same shop with a different error instead of SoldOut.
  const text = readFileSync('TicketShop.json', 'utf8')
  const changed = text.replaceAll(toFunctionSelector('SoldOut(uint256)').slice(2), 'deadbeef')
  assert.notEqual(changed, text)
  writeFileSync('OtherError.json', changed)
  const other = passes('OtherError.json')
  assert.ok(!other.passed, 'a shop with another error passes the tests')
  assert.match(other.output, /Tests .*failed/, other.output)
}
