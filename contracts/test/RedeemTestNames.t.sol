// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {ICredits} from "../src/ICredits.sol";
import {IUsdc} from "../src/IUsdc.sol";
import {RedeemTest} from "./RedeemTest.sol";
import {Test} from "./Test.sol";
import {NormalMerchant} from "./mocks/HonestMerchants.sol";

/// @dev Names of forge-std's `Test` that this repository's `Test` does not have.
abstract contract StandardTest is Test {
    struct StdStorage {
        uint256 depth;
    }

    StdStorage internal stdstore;

    event log(string);

    function fail() internal pure {
        revert();
    }

    function assertEq(uint256 left, uint256 right) internal pure {
        vm.assertEq(left, right);
    }

    function assertTrue(bool condition) internal pure {
        vm.assertTrue(condition);
    }

    function deal(address account, uint256 balance) internal {
        vm.deal(account, balance);
    }

    function deal(address, address, uint256) internal pure {}
    function hoax(address) internal {}
    function skip(uint256) internal {}
    function rewind(uint256) internal {}
    function makeAddr(string memory) internal pure returns (address) {}
    function targetContract(address) internal {}
    function isFork() internal pure returns (bool) {}
}

/// @dev A suite may declare every name that `RedeemTest` uses only internally.
contract RedeemTestNames is StandardTest, RedeemTest {
    IUsdc internal usdc;
    ICredits private _credits;
    uint256 private _salts;
    uint256 private _accepted;
    address internal customer;
    address internal operator;
    address internal credits;
    NormalMerchant internal shop;

    error UnknownRedeemRule(string code);

    function setUp() public {
        usdc = redeemUsdc();
        customer = redeemCustomer();
        operator = redeemOperator();
        credits = address(redeemCredits());
        shop = new NormalMerchant(address(usdc));
    }

    function test_settles() public {
        bytes memory data = abi.encodeCall(NormalMerchant.buy, (customer, 1));
        assertSettles(address(shop), data, 1, ICredits.Kind.Normal);
        assertEq(shop.paidFor(customer), 1);
        assertEq(_run() + _explain() + _salts + _accepted, 3);
    }

    function _run() private pure returns (uint256) {
        return 1;
    }

    function _explain() private pure returns (uint256) {
        return 2;
    }
}
