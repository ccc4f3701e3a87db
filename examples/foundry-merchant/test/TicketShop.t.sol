// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {TicketShop} from "../src/TicketShop.sol";
import {ICredits} from "redeemkit/contracts/src/ICredits.sol";
import {RedeemTest} from "redeemkit/contracts/test/RedeemTest.sol";

contract TicketShopTest is RedeemTest {
    TicketShop private shop;

    function setUp() public {
        shop = new TicketShop(address(redeemUsdc()), 100);
    }

    function test_sellsTwoTickets() public {
        bytes memory data = abi.encodeCall(TicketShop.buy, (redeemCustomer(), 2));
        assertSettles(address(shop), data, 20_000_000, ICredits.Kind.Normal);
        assert(shop.ticketsOf(redeemCustomer()) == 2);
    }

    function test_refusesWhatItDoesNotHave() public {
        bytes memory data = abi.encodeCall(TicketShop.buy, (redeemCustomer(), 101));
        assertBreaks("CALL_REVERTS", address(shop), data, 1_010_000_000, ICredits.Kind.Normal);
    }
}
