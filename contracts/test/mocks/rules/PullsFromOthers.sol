// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Payment} from "../Payment.sol";

/// @title Breaks one rule: it pulls the price from the customer, who has approved nothing, and not from its caller

contract PullsFromOthers is Payment {
    mapping(address receiver => uint256) public paidFor;

    constructor(address usdc_) Payment(usdc_) {}

    function buy(address receiver, uint256 price) external {
        require(usdc.transferFrom(receiver, address(this), price), "PullsFromOthers: transfer failed");
        paidFor[receiver] += price;
    }
}
