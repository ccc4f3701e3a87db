// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {TicketShop} from "../src/TicketShop.sol";
import {ICredits} from "redeemkit/contracts/src/ICredits.sol";
import {RedeemTest} from "redeemkit/contracts/test/RedeemTest.sol";

contract TicketShopTest is RedeemTest {
    TicketShop private shop;

    function setUp() public {
        shop = new TicketShop(address(redeemUsdc()), 3);
    }

    function test_sellsTickets() public {
        bytes memory data = abi.encodeCall(TicketShop.buy, (redeemCustomer(), 3));
        assertSettles(address(shop), data, 30_000_000, ICredits.Kind.Normal);
        assert(shop.ticketsOf(redeemCustomer()) == 3);
        assert(redeemUsdc().balanceOf(address(shop)) == 30_000_000);
    }

    function test_refusesMoreThanItHas() public {
        bytes memory data = abi.encodeCall(TicketShop.buy, (redeemCustomer(), 4));
        assertBreaks("CALL_REVERTS", address(shop), data, 40_000_000, ICredits.Kind.Normal);
    }
}
