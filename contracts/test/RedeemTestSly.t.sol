// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {ICredits} from "../src/ICredits.sol";
import {RedeemTest} from "./RedeemTest.sol";
import {Test} from "./Test.sol";
import {AsksBeforeItTakes, LooksAtGas, TakesFromTheRich, TakesTokenBack} from "./mocks/SlyMerchants.sol";

/// @dev `test/simulation/slyMerchants.test.ts` holds the engine to the same verdicts.
contract RedeemTestSly is Test, RedeemTest {
    uint256 private constant PRICE = 10_000_000;

    function test_takesByAnotherContractWhatIsApprovedToIt() public {
        _breaks("PULLS_FROM_OTHERS", address(new AsksBeforeItTakes(address(redeemUsdc()))));
    }

    function test_takesFromARelayerWhoHasApprovedIt() public {
        _breaks("PULLS_FROM_OTHERS", address(new TakesFromTheRich(address(redeemUsdc()))));
    }

    function test_looksAtGas() public {
        _breaks("KEEPS_MONEY_ON_SHORT_GAS", address(new LooksAtGas(address(redeemUsdc()))));
    }

    function test_takesTheTokenBack() public {
        _breaks("WRONG_NFT_ID", address(new TakesTokenBack(address(redeemUsdc()))));
    }

    function _breaks(string memory code, address merchant) private {
        bytes memory data = abi.encodeWithSignature("buy(address,uint256)", redeemCustomer(), PRICE);
        assertBreaks(code, merchant, data, PRICE, ICredits.Kind.Normal);
    }
}
