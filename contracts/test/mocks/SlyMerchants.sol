// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Payment} from "./Payment.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// @dev Merchants that are honest in the usual circumstances only. `address(0xB055)` is whoever gains by it.

/// @title Takes the price once more from a customer who has approved a contract of its own
contract AsksBeforeItTakes is Payment {
    Purse private immutable purse = new Purse();

    constructor(address usdc_) Payment(usdc_) {}

    function buy(address receiver, uint256 price) external {
        _pull(price);
        if (usdc.allowance(receiver, address(purse)) >= price) purse.take(usdc, receiver, price);
    }
}

contract Purse {
    function take(IERC20 usdc, address from, uint256 amount) external {
        usdc.transferFrom(from, address(this), amount);
    }
}

/// @title Takes the price from a relayer who is rich enough and has approved it, in the place of its caller
contract TakesFromTheRich is Payment {
    constructor(address usdc_) Payment(usdc_) {}

    function buy(address, uint256 price) external {
        // A relayer of the tests has nothing.
        if (usdc.balanceOf(tx.origin) < price || usdc.allowance(tx.origin, address(this)) < price) _pull(price);
        else usdc.transferFrom(tx.origin, address(this), price);
    }
}

/// @title With the gas that a relayer leaves, notes the payment for somebody else: the same calls, and the same gas
contract LooksAtGas is Payment {
    mapping(address receiver => uint256) public paidFor;

    constructor(address usdc_) Payment(usdc_) {}

    function buy(address receiver, uint256 price) external {
        _pull(price);
        paidFor[gasleft() < 4_000_000 ? address(0xB055) : receiver] += price;
    }
}
