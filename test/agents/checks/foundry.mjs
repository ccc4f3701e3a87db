import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'

const changes = {
  'takes half of the price': ['count * PRICE)', 'count * PRICE / 2)'],
  'gives the tickets to its caller': ['ticketsOf[receiver]', 'ticketsOf[msg.sender]'],
  'sells more than it has': ['if (count > left) revert SoldOut(left);', 'if (count > left) left += count;'],
}

export async function check({ path }) {
  mkdirSync('test', { recursive: true })
  copyFileSync(path, 'test/solution.t.sol')
  // npx always exits with 0, so only the output shows whether the suite passed.
  const run = () => {
    const { stdout, stderr } = spawnSync('npx', ['--no', '--', 'forge', 'test'], { encoding: 'utf8' })
    return stdout + stderr
  }
  const good = run()
  assert.match(good, /[1-9]\d* tests? passed, 0 failed/, good)
  const shop = readFileSync('src/TicketShop.sol', 'utf8')
  try {
    for (const [name, [text, replacement]] of Object.entries(changes)) {
      const changed = shop.replace(text, replacement)
      assert.notEqual(changed, shop)
      writeFileSync('src/TicketShop.sol', changed)
      assert.match(run(), /tests? passed, [1-9]\d* failed/, `a shop that ${name} passes the suite`)
    }
  } finally {
    writeFileSync('src/TicketShop.sol', shop)
  }
}
