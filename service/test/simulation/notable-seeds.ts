/** Seeds that once found something, and what. They are played for ever. */
export const NOTABLE_SEEDS: readonly { seed: string; found: string }[] = [
  { seed: '1', found: 'the first that was ever played' },
  { seed: '12', found: 'who approves again hears that an approval stands which was forged' },
  { seed: '32', found: 'a thief in the rows is noticed where somebody approves' },
  { seed: '50006', found: 'a node of XRPL that lags knows no account, and a hole from 0 on' },
  { seed: '100376', found: 'a reorg takes the deposit that was to pay for a signed sweep' },
  {
    seed: '102654',
    found: 'a fee that a reorg made dearer leaves a signed sweep short of its own',
  },
  { seed: '200231', found: 'what a reorg took from a block is replaced as before' },
  { seed: '400537', found: 'a block read ahead makes a deposit deep enough, and is then undone' },
  { seed: '500712', found: 'a branch that came back was deeper than blocks may leave' },
  { seed: '940030', found: 'a node of TRON that lags makes an honest deposit look uncovered' },
  { seed: '940032', found: 'one of several has set less aside than its part of their fee' },
  { seed: '960633', found: 'what was set aside stays where a signed payment counts on it' },
  { seed: '970462', found: 'a fee of our own takes of what others set aside' },
  { seed: '701569', found: 'a node that lagged was taken for one that refuses to trace' },
]
