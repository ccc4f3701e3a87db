// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {ICredits} from "../../../src/ICredits.sol";
import {Payment} from "../Payment.sol";

/// @title Breaks one rule: while it is paid it calls the credits contract

contract Reenters is Payment {
    mapping(address receiver => uint256) public paidFor;

    constructor(address usdc_) Payment(usdc_) {}

    function buy(address receiver, uint256 price) external {
        _pull(price);
        ICredits(msg.sender).withdrawFees();
        paidFor[receiver] += price;
    }
}
